package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import dev.xmem.core.base.json.IndexedFields;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns and posting lists of a segment, read from its facts file. A section is checked when it is first used. The
 * layouts are described in {@link SectionIds}. Immutable and thread-safe.
 */
public final class SegmentReader implements LineColumns {
    /**
     * Where the lines of a log are in the file that replaces it, by their ordinals.
     *
     * @param map for each line of the log from the first on: its ordinal in the new file, {@link #GONE}, or
     *     {@link #hashedAs}; ascending
     * @param joined for each of these lines: the line of the new file that it became part of, or {@link #GONE}; that
     *     line has its sessions, tags, answered and covered lines too, and covers its id
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    public record LineMapping(int[] map, int[] joined) {
        /** The line is left out. */
        public static final int GONE = -1;

        /** A mapping of lines that do not become part of others. */
        static LineMapping of(int[] map) {
            int[] none = new int[map.length];
            Arrays.fill(none, GONE);
            return new LineMapping(map, none);
        }

        /** In a map: the line is replaced by a parsed line, to which the hasher in use gives the same hash. */
        public static int hashedAs(int line) {
            return -2 - line;
        }

        /** The line of the new file that a value of a map is about; {@link #GONE} if there is none. */
        public static int lineOf(int mapped) {
            return mapped < GONE ? -2 - mapped : mapped;
        }
    }

    private static final int LINE_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES + 1;
    static final Entry.Kind[] KINDS = Entry.Kind.values();
    private static final IndexedField[] FIELDS = IndexedField.values();
    private static final int NONE = -1;

    /**
     * The facts of consecutive new segments, which are made of those of older ones by a map of lines. A line is known
     * by its ordinal in the new log. Not thread-safe.
     */
    public interface Carried {
        /**
         * Adds older lines; of several, those of later lines later.
         *
         * @param lines a segment, which may be merged
         * @param base where the value of the first line is in the mapping
         */
        void add(LineColumns lines, LineMapping mapping, int base);

        /** Adds parsed lines with these numbers, ascending. */
        default void add(LineColumns lines, int[] numbers) {
            add(lines, LineMapping.of(numbers), 0);
        }

        /** Sets the columns of a line to those of an older line or a parsed one. */
        void set(int line, long offset, LineColumns from, int fromLine);

        /** Sets what a line has of its own that others became part of; its other columns were set. */
        void joined(int line, int length, long digest, long occurrences);

        /** Counts a line that was parsed. */
        void parsed(int line, IndexedFields fields);

        /** Makes the dictionaries; to be called when everything else is set. */
        void merge() throws CorruptSegmentException;

        /** The lines that {@link #count} has to be called with, from {@link #merge} on. */
        int[] unclear();

        /** Counts the names of a line that the facts have in lower case only. */
        void count(int line, IndexedFields fields);

        long offset(int line);

        int length(int line);

        long digest(int line);

        SegmentStatistics statistics(int segment);

        /** Writes the sections of a segment but the header. */
        void write(int segment, SectionWriter out);
    }

    private final SectionFile segment;
    private final int count;
    private final boolean someWithoutId;
    private final KeyRange[] ranges = new KeyRange[FIELDS.length];
    private final int times;
    private final int digests;
    private final int lengths;
    private final int ids;
    private final int kinds;
    private final AtomicReferenceArray<@Nullable TermDictionary> dictionaries =
            new AtomicReferenceArray<>(FIELDS.length);
    private volatile @Nullable ByteBuffer columns;
    private volatile @Nullable ByteBuffer table;
    private volatile @Nullable ByteBuffer covering;

    /** Opens the lines that {@link #write} wrote. */
    public SegmentReader(SectionFile segment) throws CorruptSegmentException {
        this.segment = segment;
        ByteBuffer summary = segment.section(SectionIds.SUMMARY);
        this.count = summary.getInt();
        this.someWithoutId = summary.getInt() != 0;
        if (count < 0 || count > Integer.MAX_VALUE / LINE_BYTES) {
            throw new CorruptSegmentException("has " + count + " lines");
        }
        for (IndexedField field : FIELDS) {
            ranges[field.ordinal()] = KeyRange.read(summary);
        }
        this.times = 8 * count;
        this.digests = times + 8 * count;
        this.lengths = digests + 8 * count;
        this.ids = lengths + 4 * count;
        this.kinds = ids + 4 * count;
    }

    /** A copy in memory of the lines below a count. More may be added meanwhile. */
    public static SegmentReader copy(LineColumns lines, int count) throws CorruptSegmentException {
        SectionWriter out = new SectionWriter();
        write(lines, count, out);
        return new SegmentReader(SectionFile.of(ByteBuffer.wrap(out.finish())));
    }

    /** Facts to be carried over from older segments; see {@link CarriedFacts}. */
    public static Carried carried(int first, int count, int segmentLines, LogStatistics names) {
        return new CarriedFacts(first, count, segmentLines, names);
    }

    /** Writes lines as sections. */
    public static void write(LineColumns lines, SectionWriter out) {
        write(lines, lines.count(), out);
    }

    private static void write(LineColumns lines, int count, SectionWriter out) {
        TermDictionary.Builder[] builders = new TermDictionary.Builder[FIELDS.length];
        for (IndexedField field : FIELDS) {
            builders[field.ordinal()] = builder(lines, field, count);
        }
        Map<String, Integer> idPlaces = new HashMap<>();
        builders[IndexedField.ID.ordinal()].places(idPlaces);
        ColumnsWriter columns = ColumnsWriter.of(lines, count);
        for (int i = 0; i < count; i++) {
            String id = lines.id(i);
            if (id != null) {
                columns.id(i, idPlaces.getOrDefault(id, NONE));
            }
        }
        write(columns, builders, out);
    }

    private static TermDictionary.Builder builder(LineColumns lines, IndexedField field, int count) {
        TermDictionary.Builder builder = new TermDictionary.Builder();
        lines.keys(field, "", key -> {
            builder.put(key, EncodedPostings.encode(lines.postings(field, key), count));
            return true;
        });
        return builder;
    }

    /** The dictionary of a field of the lines below a count. */
    static TermDictionary dictionary(LineColumns lines, IndexedField field, int count) throws CorruptSegmentException {
        SectionWriter out = new SectionWriter();
        out.section(SectionIds.of(field));
        builder(lines, field, count).write(out);
        return new TermDictionary(SectionFile.of(ByteBuffer.wrap(out.finish())).section(SectionIds.of(field)));
    }

    /** Writes columns and dictionaries as sections. */
    static void write(ColumnsWriter columns, TermDictionary.Builder[] builders, SectionWriter out) {
        out.section(SectionIds.SUMMARY);
        out.writeInt(columns.count());
        out.writeInt(columns.someWithoutId() ? 1 : 0);
        for (TermDictionary.Builder builder : builders) {
            builder.range().write(out);
        }
        columns.write(out);
        for (IndexedField field : FIELDS) {
            out.section(SectionIds.of(field));
            builders[field.ordinal()].write(out);
        }
    }

    /**
     * Checks all sections.
     *
     * @throws CorruptSegmentException if one is damaged
     */
    public void check() throws CorruptSegmentException {
        segment.check();
    }

    private ByteBuffer section(int id) {
        try {
            return segment.section(id);
        } catch (CorruptSegmentException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ByteBuffer columns() {
        ByteBuffer known = columns;
        if (known == null) {
            known = section(SectionIds.COLUMNS);
            if (known.limit() != LINE_BYTES * count) {
                throw new UncheckedIOException(new CorruptSegmentException("has columns of the wrong length"));
            }
            columns = known;
        }
        return known;
    }

    private ByteBuffer table() {
        ByteBuffer known = table;
        if (known == null) {
            known = section(SectionIds.DIGESTS);
            if (known.limit() < Integer.BYTES * (count + 1L) || Integer.bitCount(known.limit()) != 1) {
                throw new UncheckedIOException(new CorruptSegmentException("has a table of the wrong length"));
            }
            table = known;
        }
        return known;
    }

    private ByteBuffer coveringLines() {
        ByteBuffer known = covering;
        if (known == null) {
            known = section(SectionIds.COVERING);
            covering = known;
        }
        return known;
    }

    TermDictionary dictionary(IndexedField field) {
        TermDictionary known = dictionaries.get(field.ordinal());
        if (known == null) {
            known = new TermDictionary(section(SectionIds.of(field)));
            dictionaries.set(field.ordinal(), known);
        }
        return known;
    }

    private boolean mayHave(IndexedField field, String key) {
        return ranges[field.ordinal()].mayHave(key);
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long offset(int line) {
        return columns().getLong(8 * Objects.checkIndex(line, count));
    }

    @Override
    public long time(int line) {
        return columns().getLong(times + 8 * line);
    }

    @Override
    public long digest(int line) {
        return columns().getLong(digests + 8 * line);
    }

    @Override
    public int length(int line) {
        return columns().getInt(lengths + 4 * line);
    }

    @Override
    public Entry.Kind kind(int line) {
        return KINDS[columns().get(kinds + line)];
    }

    @Override
    public @Nullable String id(int line) {
        int place = idPlace(line);
        return place == NONE ? null : dictionary(IndexedField.ID).key(place);
    }

    /** The place of the id of a line in the dictionary of ids; {@link ColumnsWriter#NONE} if it has none. */
    int idPlace(int line) {
        return columns().getInt(ids + 4 * line);
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return id == null ? someWithoutId : mayHave(IndexedField.ID, id);
    }

    @Override
    public boolean idsDiffer() {
        return !someWithoutId && ranges[IndexedField.ID.ordinal()].size() == count;
    }

    @Override
    public int withDigest(long digest) {
        ByteBuffer slots = table();
        int mask = slots.limit() / 4 - 1;
        int slot = (int) digest & mask;
        for (int looked = 0; looked <= mask; looked++) {
            int entry = slots.getInt(4 * slot);
            if (entry == 0) {
                return NONE;
            }
            if (digest(Objects.checkIndex(entry - 1, count)) == digest) {
                return entry - 1;
            }
            slot = (slot + 1) & mask;
        }
        return NONE;
    }

    @Override
    public Postings postings(IndexedField field, String key) {
        if (!mayHave(field, key)) {
            return Postings.EMPTY;
        }
        TermDictionary dictionary = dictionary(field);
        int place = dictionary.find(key);
        return place < 0
                ? Postings.EMPTY
                : new EncodedPostings(dictionary.section(), dictionary.valueStart(place), count);
    }

    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        if (ranges[field.ordinal()].mayHavePrefix(prefix)) {
            dictionary(field).keys(prefix, each);
        }
    }

    @Override
    public boolean has(IndexedField field) {
        return ranges[field.ordinal()].size() > 0;
    }

    @Override
    public long occurrences(int line) {
        ByteBuffer lines = coveringLines();
        int low = 0;
        int high = lines.limit() / 16 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = lines.getLong(16 * middle);
            if (found == line) {
                return lines.getLong(16 * middle + 8);
            }
            if (found < line) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return 1;
    }

    @Override
    public void covering(Consumer<Integer> each) {
        ByteBuffer lines = coveringLines();
        for (int at = 0; at < lines.limit(); at += 16) {
            each.accept((int) lines.getLong(at));
        }
    }
}
