package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.record.LineFacts;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Totals of one log. One writer, many readers. */
public final class Tally {
    private final Map<Entry.Kind, AtomicLong> kinds = new EnumMap<>(Entry.Kind.class);
    private final Map<String, Count> toolFailures = new ConcurrentHashMap<>();
    private final Map<String, Count> toolSuccesses = new ConcurrentHashMap<>();
    private final Map<String, Count> tags = new ConcurrentHashMap<>();

    /** A number that one thread raises and any may read. */
    private static final class Count {
        volatile long n;

        Count(long n) {
            this.n = n;
        }
    }

    Tally() {
        for (Entry.Kind kind : Entry.Kind.values()) {
            kinds.put(kind, new AtomicLong());
        }
    }

    void add(LineFacts facts) {
        count(facts.kind()).incrementAndGet();
        boolean failure = facts.kind() == Entry.Kind.FAILURE;
        if (!failure && facts.kind() != Entry.Kind.SUCCESS) {
            return;
        }
        if (facts.tool() != null) {
            count(failure ? toolFailures : toolSuccesses, facts.tool());
        }
        List<String> given = facts.tags();
        for (int i = 0; i < given.size(); i++) {
            if (given.indexOf(given.get(i)) == i) {
                count(tags, given.get(i));
            }
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private static void count(Map<String, Count> counts, String name) {
        Count count = counts.get(name);
        if (count == null) {
            counts.put(name, new Count(1));
        } else {
            count.n = count.n + 1;
        }
    }

    private static Map<String, Long> copy(Map<String, Count> counts) {
        Map<String, Long> copy = new HashMap<>();
        counts.forEach((name, count) -> copy.put(name, count.n));
        return copy;
    }

    private AtomicLong count(Entry.Kind kind) {
        AtomicLong count = kinds.get(kind);
        if (count == null) {
            throw new IllegalStateException("every kind has a count");
        }
        return count;
    }

    long of(Entry.Kind kind) {
        return count(kind).get();
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
