package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.GrowablePostings;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
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
final class Memtable implements LineColumns {
    private static final String ANY = "";

    private final ColumnStore columns = new ColumnStore();
    private final DigestTable digests = new DigestTable();
    private final Map<IndexedField, Map<String, GrowablePostings>> fields = new EnumMap<>(IndexedField.class);
    private final LazySortedKeys families = new LazySortedKeys();
    private final Map<Integer, Long> occurrences = new ConcurrentHashMap<>();

    Memtable() {
        for (IndexedField field : IndexedField.values()) {
            fields.put(field, new ConcurrentHashMap<>());
        }
    }

    /** The chain of numbers made from the bytes of the lines below this one. */
    long rollingDigest(int cutoff) {
        return columns.rollingDigest(cutoff);
    }

    /** Adds a line that is not there yet. */
    void add(IndexedFields facts, long offset, int length, long digest, @Nullable String currentHash) {
        int line = columns.count();
        digests.put(digest, line);
        columns.add(offset, length, facts.tsMillis(), facts.kind(), digest, facts.id());
        put(IndexedField.ID, facts.id(), line);
        put(IndexedField.TOOL, lower(facts.tool()), line);
        if (put(IndexedField.HASH, facts.ctxHash(), line)) {
            families.add(Objects.requireNonNull(facts.ctxHash()));
        }
        if (currentHash != null && put(IndexedField.CURRENT_HASH, currentHash, line)) {
            families.add(currentHash);
        }
        putAll(IndexedField.ANSWERED, facts.answers(), line);
        put(IndexedField.SESSION, facts.session(), line);
        putAll(IndexedField.SESSION, facts.sessions(), line);
        put(IndexedField.TYPE, facts.type(), line);
        put(IndexedField.DEDUPE_KEY, facts.dedupeKey(), line);
        if (facts.target() != null) {
            put(IndexedField.TARGET, facts.target(), line);
            put(IndexedField.EVENT, ANY, line);
        }
        if (facts.proven()) {
            put(IndexedField.PROVEN, ANY, line);
        }
        for (String tag : facts.tags()) {
            put(IndexedField.TAG, lower(tag), line);
        }
        if (!facts.covers().isEmpty()) {
            occurrences.put(line, facts.occurrences());
            putAll(IndexedField.COVERED, facts.covers(), line);
        }
        columns.publish();
    }

    static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private void putAll(IndexedField field, List<String> keys, int line) {
        for (String key : keys) {
            put(field, key, line);
        }
    }

    private Map<String, GrowablePostings> of(IndexedField field) {
        return Objects.requireNonNull(fields.get(field));
    }

    /** True if the key is a new one. */
    private boolean put(IndexedField field, @Nullable String key, int line) {
        if (key == null) {
            return false;
        }
        Map<String, GrowablePostings> lists = of(field);
        GrowablePostings list = lists.get(key);
        boolean fresh = list == null;
        if (list == null) {
            list = new GrowablePostings();
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
        return id == null || of(IndexedField.ID).containsKey(id);
    }

    @Override
    public int withDigest(long digest) {
        int line = digests.get(digest);
        return line >= 0 && line < columns.count() && columns.digest(line) == digest ? line : -1;
    }

    @Override
    public Postings lines(IndexedField field, String key) {
        GrowablePostings found = of(field).get(key);
        return found == null ? Postings.EMPTY : found;
    }

    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        boolean sorted = !prefix.isEmpty() && (field == IndexedField.HASH || field == IndexedField.CURRENT_HASH);
        Map<String, GrowablePostings> lists = of(field);
        for (String key : sorted ? families.from(prefix) : lists.keySet()) {
            boolean begins = key.startsWith(prefix);
            boolean on = begins ? !lists.containsKey(key) || each.test(key) : !sorted;
            if (!on) {
                return;
            }
        }
    }

    @Override
    public boolean has(IndexedField field) {
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
