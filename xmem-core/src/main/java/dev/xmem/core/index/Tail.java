package dev.xmem.core.index;

import dev.xmem.Entry;
import dev.xmem.core.record.LineFacts;
import dev.xmem.core.segment.Field;
import dev.xmem.core.segment.Lines;
import dev.xmem.core.segment.Ordinals;
import dev.xmem.core.segment.Postings;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lines of a log in memory. One writer, many readers: see the package. */
final class Tail implements Lines {
    private static final String ANY = "";

    private final Columns columns = new Columns();
    private final Digests digests = new Digests();
    private final Map<Field, Map<String, Ordinals>> fields = new EnumMap<>(Field.class);
    private final SortedKeys families = new SortedKeys();
    private final Map<Integer, Long> occurrences = new ConcurrentHashMap<>();

    Tail() {
        for (Field field : Field.values()) {
            fields.put(field, new ConcurrentHashMap<>());
        }
    }

    /** The chain of numbers made from the bytes of the lines below this one. */
    long chain(int cutoff) {
        return columns.chain(cutoff);
    }

    /** Adds a line that is not there yet. */
    void add(LineFacts facts, long offset, int length, long digest, @Nullable String currentHash) {
        int line = columns.count();
        digests.put(digest, line);
        columns.add(offset, length, facts.tsMillis(), facts.kind(), digest, facts.id());
        put(Field.ID, facts.id(), line);
        put(Field.TOOL, lower(facts.tool()), line);
        if (put(Field.HASH, facts.ctxHash(), line)) {
            families.add(Objects.requireNonNull(facts.ctxHash()));
        }
        if (currentHash != null && put(Field.CURRENT_HASH, currentHash, line)) {
            families.add(currentHash);
        }
        putAll(Field.ANSWERED, facts.answers(), line);
        put(Field.SESSION, facts.session(), line);
        putAll(Field.SESSION, facts.sessions(), line);
        put(Field.TYPE, facts.type(), line);
        put(Field.DEDUPE_KEY, facts.dedupeKey(), line);
        if (facts.target() != null) {
            put(Field.TARGET, facts.target(), line);
            put(Field.EVENT, ANY, line);
        }
        if (facts.proven()) {
            put(Field.PROVEN, ANY, line);
        }
        for (String tag : facts.tags()) {
            put(Field.TAG, lower(tag), line);
        }
        if (!facts.covers().isEmpty()) {
            occurrences.put(line, facts.occurrences());
            putAll(Field.COVERED, facts.covers(), line);
        }
        columns.publish();
    }

    static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private void putAll(Field field, List<String> keys, int line) {
        for (String key : keys) {
            put(field, key, line);
        }
    }

    private Map<String, Ordinals> of(Field field) {
        return Objects.requireNonNull(fields.get(field));
    }

    /** True if the key is a new one. */
    private boolean put(Field field, @Nullable String key, int line) {
        if (key == null) {
            return false;
        }
        Map<String, Ordinals> lists = of(field);
        Ordinals list = lists.get(key);
        boolean fresh = list == null;
        if (list == null) {
            list = new Ordinals();
            lists.put(key, list);
        }
        list.add(line);
        return fresh;
    }

    @Override
    public int count() {
        return columns.count();
    }

    @Override
    public long offset(int line) {
        return columns.offset(line);
    }

    @Override
    public int length(int line) {
        return columns.length(line);
    }

    @Override
    public long time(int line) {
        return columns.time(line);
    }

    @Override
    public Entry.Kind kind(int line) {
        return columns.kind(line);
    }

    @Override
    public long digest(int line) {
        return columns.digest(line);
    }

    @Override
    public @Nullable String id(int line) {
        return columns.id(line);
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return id == null || of(Field.ID).containsKey(id);
    }

    @Override
    public int withDigest(long digest) {
        int line = digests.get(digest);
        return line >= 0 && line < columns.count() && columns.digest(line) == digest ? line : -1;
    }

    @Override
    public Postings lines(Field field, String key) {
        Ordinals found = of(field).get(key);
        return found == null ? Postings.EMPTY : found;
    }

    @Override
    public void keys(Field field, String prefix, Predicate<String> each) {
        boolean sorted = !prefix.isEmpty() && (field == Field.HASH || field == Field.CURRENT_HASH);
        Map<String, Ordinals> lists = of(field);
        for (String key : sorted ? families.from(prefix) : lists.keySet()) {
            boolean begins = key.startsWith(prefix);
            boolean on = begins ? !lists.containsKey(key) || each.test(key) : !sorted;
            if (!on) {
                return;
            }
        }
    }

    @Override
    public boolean has(Field field) {
        return !of(field).isEmpty();
    }

    @Override
    public long occurrences(int line) {
        return occurrences.getOrDefault(line, 1L);
    }

    @Override
    public void covering(Consumer<Integer> each) {
        occurrences.keySet().forEach(each);
    }
}
