package dev.xmem.core.segment;

import dev.xmem.Entry;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of a stretch as a segment tells them. Immutable and thread-safe. */
public final class SealedLines implements Lines {
    private static final int COLUMNS = 1;
    private static final int DIGESTS = 2;
    private static final int COVERING = 3;
    private static final int DICTIONARIES = 16;
    private static final Entry.Kind[] KINDS = Entry.Kind.values();
    private static final Field[] FIELDS = Field.values();
    private static final int NONE = -1;

    private final int count;
    private final ByteBuffer columns;
    private final int times;
    private final int digests;
    private final int lengths;
    private final int ids;
    private final int kinds;
    private final ByteBuffer table;
    private final ByteBuffer covering;
    private final Dictionary[] dictionaries = new Dictionary[FIELDS.length];
    private final Dictionary byId;
    private final boolean someWithoutId;

    /** The lines of a segment that {@link #write} made. */
    public SealedLines(Segment segment) throws BadSegment {
        this.columns = segment.section(COLUMNS);
        this.count = columns.getInt(0);
        this.someWithoutId = columns.getInt(Integer.BYTES) != 0;
        this.times = 8 + 8 * count;
        this.digests = times + 8 * count;
        this.lengths = digests + 8 * count;
        this.ids = lengths + 4 * count;
        this.kinds = ids + 4 * count;
        if (count < 0 || columns.limit() != kinds + count) {
            throw new BadSegment("has columns of the wrong length");
        }
        this.table = segment.section(DIGESTS);
        this.covering = segment.section(COVERING);
        for (Field field : FIELDS) {
            dictionaries[field.ordinal()] = new Dictionary(segment.section(DICTIONARIES + field.ordinal()));
        }
        this.byId = dictionaries[Field.ID.ordinal()];
    }

    /** Writes what is known of lines. */
    public static void write(Lines lines, SegmentWriter out) {
        Map<String, Integer> idPlaces = new HashMap<>();
        Dictionary.Builder[] builders = new Dictionary.Builder[FIELDS.length];
        for (Field field : FIELDS) {
            Dictionary.Builder builder = new Dictionary.Builder();
            lines.keys(field, "", key -> builder.put(key, FixedPostings.encode(lines.lines(field, key))));
            builders[field.ordinal()] = builder;
        }
        builders[Field.ID.ordinal()].places(idPlaces);
        writeColumns(lines, idPlaces, out);
        writeDigests(lines, out);
        writeCovering(lines, out);
        for (Field field : FIELDS) {
            out.section(DICTIONARIES + field.ordinal());
            builders[field.ordinal()].write(out);
        }
    }

    private static void writeColumns(Lines lines, Map<String, Integer> idPlaces, SegmentWriter out) {
        int count = lines.count();
        boolean someWithoutId = false;
        for (int i = 0; i < count; i++) {
            someWithoutId |= lines.id(i) == null;
        }
        out.section(COLUMNS);
        out.writeInt(count);
        out.writeInt(someWithoutId ? 1 : 0);
        for (int i = 0; i < count; i++) {
            out.writeLong(lines.offset(i));
        }
        for (int i = 0; i < count; i++) {
            out.writeLong(lines.time(i));
        }
        for (int i = 0; i < count; i++) {
            out.writeLong(lines.digest(i));
        }
        for (int i = 0; i < count; i++) {
            out.writeInt(lines.length(i));
        }
        for (int i = 0; i < count; i++) {
            String id = lines.id(i);
            out.writeInt(id == null ? NONE : idPlaces.getOrDefault(id, NONE));
        }
        for (int i = 0; i < count; i++) {
            out.writeByte(lines.kind(i).ordinal());
        }
    }

    /** An open-addressed table from the low bits of a digest to a line and one; 0 is an empty slot. */
    private static void writeDigests(Lines lines, SegmentWriter out) {
        int slots = Math.max(2, Integer.highestOneBit(Math.max(1, lines.count())) * 4);
        int[] table = new int[slots];
        for (int i = 0; i < lines.count(); i++) {
            int slot = (int) lines.digest(i) & (slots - 1);
            while (table[slot] != 0) {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = i + 1;
        }
        out.section(DIGESTS);
        for (int entry : table) {
            out.writeInt(entry);
        }
    }

    private static void writeCovering(Lines lines, SegmentWriter out) {
        TreeSet<Integer> covering = new TreeSet<>();
        lines.covering(covering::add);
        out.section(COVERING);
        for (int line : covering) {
            out.writeLong(line);
            out.writeLong(lines.occurrences(line));
        }
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public long offset(int line) {
        return columns.getLong(8 + 8 * line);
    }

    @Override
    public long time(int line) {
        return columns.getLong(times + 8 * line);
    }

    @Override
    public long digest(int line) {
        return columns.getLong(digests + 8 * line);
    }

    @Override
    public int length(int line) {
        return columns.getInt(lengths + 4 * line);
    }

    @Override
    public Entry.Kind kind(int line) {
        return KINDS[columns.get(kinds + line)];
    }

    @Override
    public @Nullable String id(int line) {
        int place = columns.getInt(ids + 4 * line);
        return place == NONE ? null : byId.key(place);
    }

    @Override
    public int withDigest(long digest) {
        int mask = table.limit() / 4 - 1;
        int slot = (int) digest & mask;
        for (int entry = table.getInt(4 * slot); entry != 0; entry = table.getInt(4 * slot)) {
            if (digest(entry - 1) == digest) {
                return entry - 1;
            }
            slot = (slot + 1) & mask;
        }
        return NONE;
    }

    /** Whether a line with this id, or one without an id, may be here. */
    public boolean mayHave(@Nullable String id) {
        return id == null ? someWithoutId : byId.mayHave(id);
    }

    @Override
    public Postings lines(Field field, String key) {
        Dictionary dictionary = dictionaries[field.ordinal()];
        int place = dictionary.find(key);
        return place < 0
                ? Postings.EMPTY
                : new FixedPostings(dictionary.section(), dictionary.valueStart(place), count);
    }

    @Override
    public void keys(Field field, String prefix, Consumer<String> each) {
        dictionaries[field.ordinal()].keys(prefix, each);
    }

    @Override
    public boolean has(Field field) {
        return dictionaries[field.ordinal()].size() > 0;
    }

    @Override
    public long occurrences(int line) {
        int low = 0;
        int high = covering.limit() / 16 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = covering.getLong(16 * middle);
            if (found == line) {
                return covering.getLong(16 * middle + 8);
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
        for (int at = 0; at < covering.limit(); at += 16) {
            each.accept((int) covering.getLong(at));
        }
    }
}
