package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LowerCase;
import dev.xmem.core.store.segment.GrowablePostings;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentStatistics;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest lines of a log, in memory: an array for each column, and a posting list for each key of each field. One
 * writer, many readers: {@link #add} writes {@code count} last, and a reader that has seen a count sees everything
 * about the lines below it.
 *
 * <p>The writer does not add a line to the postings and the statistics: the first reader that asks for one adds the
 * lines that wait, under a lock, and the writer does so when {@value #MOST_WAITING} lines or
 * {@value #MOST_WAITING_BYTES} bytes wait. Columns are read without a lock. Decision:
 * docs/adr/0107-appends-index-later.md.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
final class Memtable implements LineColumns {
    private static final String ANY = "";
    private static final Entry.Kind[] KINDS = Entry.Kind.values();
    private static final int MOST_WAITING = 256;
    /** The fields of a line may take ten times its bytes. */
    private static final int MOST_WAITING_BYTES = 256 << 10;

    private long[] offsets = new long[16];
    private int[] lengths = new int[16];
    private long[] times = new long[16];
    private byte[] kinds = new byte[16];
    private long[] digests = new long[16];
    private @Nullable String[] ids = new @Nullable String[16];
    /** The rolling digest of the lines up to and including this one. */
    private long[] rollingDigests = new long[16];

    private volatile int count;
    /** How many lines are in the postings and the statistics. */
    private volatile int indexed;

    private final ReentrantLock indexing = new ReentrantLock();
    /** The lines that wait to be indexed, by their number modulo the length. */
    private final @Nullable Waiting[] waiting = new @Nullable Waiting[MOST_WAITING];

    /** The bytes of the lines that were added since the writer indexed. */
    private long waitingBytes;

    private final SegmentStatistics statistics;
    private final int base;

    private final DigestTable byDigest = new DigestTable();
    private final Map<IndexedField, Map<String, GrowablePostings>> fields = new EnumMap<>(IndexedField.class);
    private final Map<Integer, Long> occurrences = new ConcurrentHashMap<>();
    /** Keys of hash fields, which are sorted when a reader first needs them in order. */
    private final Queue<String> unsortedHashes = new ConcurrentLinkedQueue<>();

    private final ConcurrentSkipListSet<String> sortedHashes = new ConcurrentSkipListSet<>();
    private final ReentrantLock sorting = new ReentrantLock();

    /** A line that is not in the postings yet. */
    private record Waiting(IndexedFields fields, @Nullable String currentHash) {}

    /**
     * A table without lines.
     *
     * @param statistics what the lines are added to when they are indexed
     * @param base the number of the first line in the statistics
     */
    Memtable(SegmentStatistics statistics, int base) {
        this.statistics = statistics;
        this.base = base;
        for (IndexedField field : IndexedField.values()) {
            fields.put(field, new ConcurrentHashMap<>());
        }
    }

    /** Adds a line that is not there yet. */
    void add(IndexedFields line, long offset, int length, long digest, @Nullable String currentHash) {
        int n = count;
        if (n == offsets.length) {
            grow(n + (n >> 1));
        }
        offsets[n] = offset;
        lengths[n] = length;
        times[n] = line.tsMillis();
        kinds[n] = (byte) line.kind().ordinal();
        digests[n] = digest;
        ids[n] = line.id();
        rollingDigests[n] = DigestTable.next(rollingDigest(n), digest);
        byDigest.put(digest, n);
        if (!line.covers().isEmpty()) {
            occurrences.put(n, line.occurrences());
        }
        if (n - indexed == MOST_WAITING || waitingBytes + length > MOST_WAITING_BYTES) {
            index();
            waitingBytes = 0;
        }
        waitingBytes += length;
        waiting[n % MOST_WAITING] = new Waiting(line, currentHash);
        count = n + 1;
        if (waitingBytes > MOST_WAITING_BYTES) {
            index();
            waitingBytes = 0;
        }
    }

    /** Adds the lines that wait to the postings and the statistics. */
    void index() {
        int to = count;
        if (indexed >= to) {
            return;
        }
        indexing.lock();
        try {
            for (int line = indexed; line < to; line++) {
                Waiting next = Objects.requireNonNull(waiting[line % MOST_WAITING]);
                index(next.fields, line, next.currentHash);
                statistics.add(next.fields, base + line);
                waiting[line % MOST_WAITING] = null;
                indexed = line + 1;
            }
        } finally {
            indexing.unlock();
        }
    }

    private void grow(int size) {
        offsets = Arrays.copyOf(offsets, size);
        lengths = Arrays.copyOf(lengths, size);
        times = Arrays.copyOf(times, size);
        kinds = Arrays.copyOf(kinds, size);
        digests = Arrays.copyOf(digests, size);
        ids = Arrays.copyOf(ids, size);
        rollingDigests = Arrays.copyOf(rollingDigests, size);
    }

    private void index(IndexedFields fields, int line, @Nullable String currentHash) {
        put(IndexedField.ID, fields.id(), line);
        put(IndexedField.TOOL, lower(fields.tool()), line);
        putHash(IndexedField.HASH, fields.ctxHash(), line);
        putHash(IndexedField.CURRENT_HASH, currentHash, line);
        putAll(IndexedField.ANSWERED, fields.answers(), line);
        put(IndexedField.SESSION, fields.session(), line);
        putAll(IndexedField.SESSION, fields.sessions(), line);
        put(IndexedField.TYPE, fields.type(), line);
        put(IndexedField.DEDUPE_KEY, fields.dedupeKey(), line);
        if (fields.target() != null) {
            put(IndexedField.TARGET, fields.target(), line);
            put(IndexedField.EVENT, ANY, line);
        }
        if (fields.proven()) {
            put(IndexedField.PROVEN, ANY, line);
        }
        if (fields.lesson()) {
            put(IndexedField.PROVEN, IndexedField.LESSON, line);
        }
        for (String tag : fields.tags()) {
            put(IndexedField.TAG, lower(tag), line);
        }
        putAll(IndexedField.COVERED, fields.covers(), line);
    }

    static @Nullable String lower(@Nullable String text) {
        return text == null ? null : LowerCase.of(text);
    }

    private void putAll(IndexedField field, List<String> keys, int line) {
        for (String key : keys) {
            put(field, key, line);
        }
    }

    private void putHash(IndexedField field, @Nullable String hash, int line) {
        if (put(field, hash, line)) {
            unsortedHashes.add(Objects.requireNonNull(hash));
        }
    }

    /** The postings of a field, of all lines. */
    private Map<String, GrowablePostings> of(IndexedField field) {
        index();
        return Objects.requireNonNull(fields.get(field));
    }

    /** Returns whether the key is new. */
    private boolean put(IndexedField field, @Nullable String key, int line) {
        if (key == null) {
            return false;
        }
        Map<String, GrowablePostings> lists = Objects.requireNonNull(fields.get(field));
        GrowablePostings list = lists.get(key);
        boolean fresh = list == null;
        if (list == null) {
            list = new GrowablePostings();
            lists.put(key, list);
        }
        list.add(line);
        return fresh;
    }

    /** The rolling digest of the lines below this one. */
    long rollingDigest(int cutoff) {
        return cutoff == 0 ? 0 : rollingDigests[cutoff - 1];
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long offset(int line) {
        return offsets[line];
    }

    @Override
    public int length(int line) {
        return lengths[line];
    }

    @Override
    public long time(int line) {
        return times[line];
    }

    @Override
    public Entry.Kind kind(int line) {
        return KINDS[kinds[line]];
    }

    @Override
    public long digest(int line) {
        return digests[line];
    }

    @Override
    public @Nullable String id(int line) {
        return ids[line];
    }

    @Override
    public long occurrences(int line) {
        return occurrences.getOrDefault(line, 1L);
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return true; // to look its digest up is as cheap
    }

    @Override
    public int withDigest(long digest) {
        int line = byDigest.get(digest);
        return line >= 0 && line < count && digests[line] == digest ? line : -1;
    }

    @Override
    public Postings postings(IndexedField field, String key) {
        GrowablePostings lines = of(field).get(key);
        return lines == null ? Postings.EMPTY : lines;
    }

    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        boolean sorted = !prefix.isEmpty() && (field == IndexedField.HASH || field == IndexedField.CURRENT_HASH);
        Map<String, GrowablePostings> lists = of(field);
        for (String key : sorted ? hashesFrom(prefix) : lists.keySet()) {
            boolean begins = key.startsWith(prefix);
            boolean on = begins ? !lists.containsKey(key) || each.test(key) : !sorted;
            if (!on) {
                return;
            }
        }
    }

    private SortedSet<String> hashesFrom(String prefix) {
        if (!unsortedHashes.isEmpty()) {
            sorting.lock();
            try {
                // A key is removed after it was added: a reader that finds the queue empty finds every key in the set.
                for (String key = unsortedHashes.peek(); key != null; key = unsortedHashes.peek()) {
                    sortedHashes.add(key);
                    unsortedHashes.remove();
                }
            } finally {
                sorting.unlock();
            }
        }
        return sortedHashes.tailSet(prefix);
    }

    @Override
    public boolean has(IndexedField field) {
        return !of(field).isEmpty();
    }

    @Override
    public void covering(Consumer<Integer> each) {
        occurrences.keySet().forEach(each);
    }
}
