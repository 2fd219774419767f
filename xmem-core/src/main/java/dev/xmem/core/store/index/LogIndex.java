package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.terms.LogSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The index of one log: its {@linkplain #lines() lines} with their columns and postings, their
 * {@linkplain #words text index}, and their {@linkplain #statistics() statistics}. A line is known by its ordinal: 0 is
 * the first line of the log that is an entry, and identical lines have one ordinal. One thread at a time adds lines,
 * any thread reads: see the package.
 */
public final class LogIndex {
    /**
     * The lines of a log that are in the file that replaces it.
     *
     * @param mapping where each line of the log is in the new file
     * @param offsets the offset of each line in the new file, and where the last one ends, without its line end
     * @param replaced the lines of the new file that replace others, in their order
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    public record CarriedLines(SegmentReader.LineMapping mapping, long[] offsets, List<Replaced> replaced) {
        /**
         * A line of the new file that replaces one of the log.
         *
         * @param line its ordinal
         * @param length its length in bytes
         * @param digest its digest
         * @param occurrences how often it happened, if it has the facts of the line that it replaces, of those that
         *     became part of it, and no others; 0 if it has to be parsed
         */
        public record Replaced(int line, int length, long digest, long occurrences) {
            boolean isParsed() {
                return occurrences == 0;
            }
        }

        int count() {
            return offsets.length - 1;
        }
    }

    /**
     * The lines of a log that may hold a text; no other line holds it. They are found all at once, or segment by
     * segment from the newest on, so that a search that ends early looks the text up in few segments. For one search.
     */
    public interface Candidates {
        /** The candidates in all segments; null if nothing is known of the text. */
        @Nullable Postings all() throws IOException;

        /** The candidates in the newest segment that was not asked for yet and has any; null if there are no more. */
        @Nullable Postings older() throws IOException;
    }

    /** How many text indexes are made at a time. */
    private static final int TEXTS_TOGETHER = ResourcePool.together(192 << 20);

    /** Segments of fewer than two to the power of this many lines are not worth other threads. */
    private static final int LARGE_SHIFT = 10;

    private final Object identity = new Object();
    private final LogFile file;
    private final LogDescriptor part;
    private final BiPredicate<String, String> repeatedIds;
    private final SegmentSealing sealing;
    private final TextIndexes texts;
    private final LogIndexer indexer;

    /** Held by the thread that merges, also while it waits to add: above the lock of the registry. */
    private final ReentrantLock mergers = new ReentrantLock();

    private boolean restored;

    /**
     * An index without lines.
     *
     * @param repeatedIds whether several visible lines have an id, in all logs of a replica
     */
    LogIndex(LogFile file, LogDescriptor part, SegmentStore segments, BiPredicate<String, String> repeatedIds) {
        this.file = file;
        this.part = part;
        this.repeatedIds = repeatedIds;
        this.sealing = new SegmentSealing(file, segments);
        this.texts = new TextIndexes(file, sealing);
        this.indexer = new LogIndexer(file, part, segments, sealing);
    }

    /** Adds the lines that are new in the log; the first time, opens its segments before. */
    LogFile.Change refresh() throws IOException {
        if (restored) {
            return file.refresh(new LineBatch(indexer));
        }
        restored = true;
        indexer.restore();
        LogFile.Change change = file.refresh(new LineBatch(indexer));
        indexer.sealHead();
        return change;
    }

    /** Adds the lines of a file that will be renamed to the log. */
    public void indexAhead(Path temporary) throws IOException {
        restored = true;
        file.indexAhead(temporary, new LineBatch(indexer));
    }

    /**
     * Carries the segments of another index over to a file that will be renamed to the log; the rest of the file is
     * read by {@link #indexAhead}.
     */
    void carryOver(LogIndex before, CarriedLines lines, Path temporary) throws IOException {
        restored = true;
        file.openAhead(temporary);
        indexer.restore(new IndexCarrier(before, this, lines).segments());
    }

    LogIndexer indexer() {
        return indexer;
    }

    /** A key for caches, which must not keep an index alive that was replaced. */
    public Object identity() {
        return identity;
    }

    public LogFile file() {
        return file;
    }

    /** The kind of entry that the log is for. */
    public Entry.Kind kind() {
        return part.kind();
    }

    /** The owner of the lines; all other replicas, if it is the log of these. */
    public Origin origin() {
        return part.origin();
    }

    /** The owner of a line. */
    public Origin origin(int ordinal) {
        return part.origin().own() ? part.origin() : file.origin(lines().offset(ordinal));
    }

    public LogDescriptor part() {
        return part;
    }

    /** Appends lines to the log, as {@link LogFile#append} does; the caller {@link #add}s them afterwards. */
    public long append(byte[] bytes, int start, int length) throws IOException {
        return file.append(bytes, start, length, indexer);
    }

    /**
     * Adds a line that the hasher in use hashed; returns false if the same line is already there.
     *
     * @param minted whether the line has an id that no line has: it is not looked up
     */
    public boolean add(IndexedFields fields, long offset, byte[] buffer, int start, int length, boolean minted) {
        return indexer.add(fields, offset, buffer, start, length, minted);
    }

    /** The columns and postings of the lines that are there now. More lines may appear at its end. */
    public LineColumns lines() {
        return indexer.lines();
    }

    /** The same lines by segment. */
    SegmentList segments() {
        return indexer.lines();
    }

    SegmentSealing sealing() {
        return sealing;
    }

    /** The number of lines now. */
    public int count() {
        return indexer.lines().count();
    }

    /** The statistics of all lines. What is not thread-safe in it is for the thread that adds. */
    public SegmentStatistics statistics() {
        return indexer.statistics();
    }

    /** A rolling digest of all lines below this one. */
    public long rollingDigest(int cutoff) {
        return indexer.lines().rollingDigest(cutoff);
    }

    /** Whether {@link #sealOne} has nothing to do. */
    boolean isSealed() {
        return indexer.lines().sealable().stream().allMatch(sealing::isDone);
    }

    /**
     * Writes one missing facts file of a segment, or else some missing text files, on all cores, the oldest first;
     * false if there was none to write.
     */
    boolean sealOne() throws IOException {
        List<Segment> segments = indexer.lines().sealable();
        for (Segment segment : segments) {
            if (segment.name() == null) {
                sealing.seal(segment);
                return segment.name() != null;
            }
        }
        List<Segment> without = segments.stream()
                .filter(segment -> !segment.hasText())
                .limit(TEXTS_TOGETHER)
                .toList();
        ResourcePool.all(without.size(), indexer.lines().shift() >= LARGE_SHIFT, i -> texts.text(without.get(i)));
        return !without.isEmpty();
    }

    /**
     * Merges segments, and uses the merged one; false if there are none to merge.
     *
     * @param adding the lock of the thread that adds lines
     */
    boolean mergeOne(BooleanSupplier stopped, Lock adding) throws IOException {
        mergers.lock();
        try {
            SegmentMerging.Merged merged = sealing.merging().mergeOne(indexer.lines(), stopped);
            if (merged == null) {
                return false;
            }
            adding.lock();
            try {
                indexer.merged(merged.segment());
            } finally {
                adding.unlock();
            }
            sealing.merging().remove(merged.parts());
            return true;
        } finally {
            mergers.unlock();
        }
    }

    /** The digest of the bytes of a line, as {@link LineColumns#digest} returns it. */
    public static long digestOf(byte[] line) {
        return DigestTable.of(line, 0, line.length);
    }

    /** The first line with the digest of these bytes; -1 if there is none. */
    public int withBytes(byte[] line) {
        return lines().withDigest(digestOf(line));
    }

    /** The bytes of a line. */
    public byte[] bytes(int ordinal) throws IOException {
        LineColumns lines = lines();
        return file.readLine(lines.offset(ordinal), lines.length(ordinal));
    }

    /** The indexed fields of a line, parsed again. */
    public IndexedFields fields(int ordinal) throws IOException {
        return fields(bytes(ordinal));
    }

    /** The indexed fields of a line of the log. */
    IndexedFields fields(byte[] line) throws IOException {
        try {
            return LineCodec.indexedFields(kind(), line, 0, line.length);
        } catch (MalformedLineException e) {
            throw new LogChangedException(file.path() + " was changed where it was read before", e);
        }
    }

    /**
     * The id under which a line is shown: its own, with a suffix where several different lines have it; one derived
     * from its bytes where it has none.
     */
    public String id(int ordinal) {
        LineColumns lines = lines();
        return id(lines, ordinal, lines.kind(ordinal), lines.id(ordinal));
    }

    /** Whether a line is shown under the id that is in it. */
    public boolean isShownAs(int ordinal, String own) {
        LineColumns lines = lines();
        return id(lines, ordinal, lines.kind(ordinal), own).equals(own);
    }

    /** The same, given the id in the line. */
    String id(LineColumns lines, int ordinal, Entry.Kind kind, @Nullable String own) {
        if (own == null) {
            return idOf(kind, lines.digest(ordinal)) + origin(ordinal).suffix();
        }
        Origin owner = origin(ordinal);
        boolean unique = kind == Entry.Kind.DIRECTIVE || !repeatedIds.test(own, owner.replica());
        String shown = unique ? own : idOf(kind, own, lines.digest(ordinal));
        return owner.own() ? shown : shown + owner.suffix();
    }

    /** The id under which a line without an id is shown. */
    public static String idOf(Entry.Kind kind, byte[] line) {
        return idOf(kind, digestOf(line));
    }

    /** The id, made from its bytes, of a line that has no id of its own, or one that other lines have too. */
    public static String idOf(Entry.Kind kind, @Nullable String own, byte[] line) {
        return idOf(kind, own, digestOf(line));
    }

    private static String idOf(Entry.Kind kind, @Nullable String own, long digest) {
        return own == null
                ? idOf(kind, digest)
                : own + "~" + HexFormat.of().toHexDigits(digest).substring(0, 8);
    }

    private static String idOf(Entry.Kind kind, long digest) {
        return (kind == Entry.Kind.NOTE ? "note-" : "line-") + HexFormat.of().toHexDigits(digest);
    }

    /** Whether every line is an entry of its log's kind. */
    public boolean isUniform() {
        return statistics().logStatistics().of(kind()) == count();
    }

    /** Whether a line is an outcome or an amendment: no entry of its own, but an event of one. */
    public boolean isEvent(int ordinal) {
        return TextIndexes.isEvent(lines(), ordinal);
    }

    /** The lines of the entry that is shown under an id. */
    public Postings withShownId(String shown) {
        return withShownId(IndexedField.ID, shown);
    }

    /** The lines with the own id of an entry in a field, of the owner of the entry that is shown under an id. */
    Postings withShownId(IndexedField field, String shown) {
        int at = origin().own() ? shown.length() : Math.max(0, shown.indexOf('@'));
        return of(lines().postings(field, shown.substring(0, at)), owner -> owner.mayShow(shown));
    }

    /** Whether a line is of another replica whose name begins so. */
    public boolean isOf(String replica) {
        return !origin().own() && file.hasOwner(replica);
    }

    /**
     * The lines of which a field names the entry that is shown under an id. Lines of this store use that id. Lines of a
     * replica use it with or without the suffix for entries of the replica, and cannot name entries of this store.
     */
    public Postings naming(IndexedField field, String shown) {
        Postings full = lines().postings(field, shown);
        int at = shown.indexOf('@');
        if (origin().own()) {
            return full;
        } else if (at < 0) {
            return Postings.EMPTY;
        }
        Postings bare = of(lines().postings(field, shown.substring(0, at)), owner -> shown.endsWith(owner.suffix()));
        return bare == Postings.EMPTY
                ? full
                : full == Postings.EMPTY
                        ? bare
                        : Postings.of(
                                IntStream.concat(all(full), all(bare)).sorted().distinct());
    }

    /** The lines of which the owner passes a test. */
    Postings of(Postings lines, Predicate<Origin> owner) {
        if (lines == Postings.EMPTY || origin().own()) {
            return lines;
        }
        int[] some = all(lines).filter(line -> owner.test(origin(line))).toArray();
        return some.length == 0 ? Postings.EMPTY : Postings.of(IntStream.of(some));
    }

    private static IntStream all(Postings lines) {
        return IntStream.range(0, lines.countBelow(Integer.MAX_VALUE)).map(lines::at);
    }

    /** The lines with this id. */
    public Postings withId(String id) {
        return lines().postings(IndexedField.ID, id);
    }

    /** The lines that say they cover the line with this id. */
    public Postings covering(String id) {
        return lines().postings(IndexedField.COVERED, id);
    }

    /** Whether any line covers another. */
    public boolean covers() {
        return lines().has(IndexedField.COVERED);
    }

    /** The lines with this tool or tag, whatever its case. */
    public Postings withName(IndexedField toolOrTag, String name) {
        return lines().postings(toolOrTag, String.valueOf(Memtable.lower(name)));
    }

    /** The lines with this context hash: their own, or the one that the hasher in use gives them. */
    public Postings withHash(String hash) {
        LineColumns lines = lines();
        Postings stored = lines.postings(IndexedField.HASH, hash);
        Postings current = lines.postings(IndexedField.CURRENT_HASH, hash);
        if (current.countBelow(Integer.MAX_VALUE) == 0) {
            return stored;
        }
        return stored.countBelow(Integer.MAX_VALUE) == 0 ? current : new TwoPostings(stored, current);
    }

    /** All keys of a field. */
    public Set<String> keys(IndexedField field) {
        Set<String> keys = new HashSet<>();
        lines().keys(field, "", key -> {
            keys.add(key);
            return true;
        });
        return keys;
    }

    /** The text indexes of all lines below a count. */
    public List<LogSlice.Part> words(int count) throws IOException {
        return texts.words(indexer.lines(), count);
    }

    /** The lines that may hold a text. */
    public Candidates mayHold(String text) {
        return texts.mayHold(indexer.lines(), text);
    }
}
