package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;

/** Counts of lines by kind, tool and tag. One writer, which waits for no other processor; many readers. */
public final class LogStatistics {
    private final AtomicLongArray kinds = new AtomicLongArray(Entry.Kind.values().length);
    private final Map<String, AtomicLong> toolFailures = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> toolSuccesses = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> tags = new ConcurrentHashMap<>();

    /** Adds the counts of other lines. */
    void add(LogStatistics other) {
        for (Entry.Kind kind : Entry.Kind.values()) {
            addKind(kind, other.of(kind));
        }
        add(toolFailures, other.toolFailures);
        add(toolSuccesses, other.toolSuccesses);
        add(tags, other.tags);
    }

    private static void add(Map<String, AtomicLong> to, Map<String, AtomicLong> more) {
        for (Map.Entry<String, AtomicLong> each : more.entrySet()) {
            add(to, each.getKey(), each.getValue().get());
        }
    }

    void write(SectionWriter out) {
        for (Entry.Kind kind : Entry.Kind.values()) {
            out.writeLong(of(kind));
        }
        write(toolFailures, out);
        write(toolSuccesses, out);
        write(tags, out);
    }

    private static void write(Map<String, AtomicLong> counts, SectionWriter out) {
        out.writeInt(counts.size());
        new TreeMap<>(counts).forEach((name, count) -> {
            out.writeText(name);
            out.writeLong(count.get());
        });
    }

    void read(ByteBuffer in) {
        for (Entry.Kind kind : Entry.Kind.values()) {
            addKind(kind, in.getLong());
        }
        read(toolFailures, in);
        read(toolSuccesses, in);
        read(tags, in);
    }

    private static void read(Map<String, AtomicLong> counts, ByteBuffer in) {
        int n = in.getInt();
        for (int i = 0; i < n; i++) {
            add(counts, SectionFile.text(in), in.getLong());
        }
    }

    public void add(IndexedFields fields) {
        addKind(fields.kind(), 1);
        addNames(fields, tool -> true, tag -> true);
    }

    void addKind(Entry.Kind kind, long more) {
        kinds.lazySet(kind.ordinal(), of(kind) + more);
    }

    /** Counts the tool and the tags of a line that pass their test. */
    void addNames(IndexedFields fields, Predicate<String> ofTool, Predicate<String> ofTag) {
        if (fields.kind() != Entry.Kind.FAILURE && fields.kind() != Entry.Kind.SUCCESS) {
            return;
        }
        if (fields.tool() != null && ofTool.test(fields.tool())) {
            addTool(fields.kind(), fields.tool(), 1);
        }
        List<String> given = fields.tags();
        for (int i = 0; i < given.size(); i++) {
            if (given.indexOf(given.get(i)) == i && ofTag.test(given.get(i))) {
                addTag(given.get(i), 1);
            }
        }
    }

    void addTool(Entry.Kind kind, String tool, long more) {
        add(kind == Entry.Kind.FAILURE ? toolFailures : toolSuccesses, tool, more);
    }

    void addTag(String tag, long more) {
        add(tags, tag, more);
    }

    private static void add(Map<String, AtomicLong> counts, String name, long more) {
        AtomicLong count = counts.get(name);
        if (count == null) {
            counts.put(name, new AtomicLong(more));
        } else {
            count.lazySet(count.get() + more);
        }
    }

    private static Map<String, Long> copy(Map<String, AtomicLong> counts) {
        Map<String, Long> copy = new HashMap<>();
        counts.forEach((name, count) -> copy.put(name, count.get()));
        return copy;
    }

    public long of(Entry.Kind kind) {
        return kinds.get(kind.ordinal());
    }

    /** Failures by tool. */
    public Map<String, Long> toolFailures() {
        return copy(toolFailures);
    }

    /** Successes by tool. */
    public Map<String, Long> toolSuccesses() {
        return copy(toolSuccesses);
    }

    /** Failures and successes by tool. */
    public Map<String, Long> tools() {
        Map<String, Long> both = toolFailures();
        toolSuccesses().forEach((tool, n) -> both.merge(tool, n, Long::sum));
        return both;
    }

    /** Failures and successes by tag. */
    public Map<String, Long> tags() {
        return copy(tags);
    }
}
