package dev.xmem.core.store.segment;

import dev.xmem.Entry;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns and posting lists of a merged segment, as {@link SegmentMerger} wrote them. A column of a line is that of
 * its {@linkplain #part part}, which is opened when it is first needed. Immutable and thread-safe.
 */
public final class MergedSegmentReader implements LineColumns {
    private static final IndexedField[] FIELDS = IndexedField.values();
    private static final int NONE = -1;

    private final SectionFile segment;
    private final int partLines;
    private final boolean someWithoutId;
    private final KeyRange[] ranges = new KeyRange[FIELDS.length];
    private final AtomicReferenceArray<@Nullable SegmentReader> parts;
    private final AtomicReferenceArray<@Nullable TermDictionary> dictionaries =
            new AtomicReferenceArray<>(FIELDS.length);

    /** Opens the lines of a merged segment. */
    public MergedSegmentReader(SectionFile segment) throws CorruptSegmentException {
        this.segment = segment;
        int count = segment.parts();
        if (count < 2 || count > PartPostings.MOST) {
            throw new CorruptSegmentException("has " + count + " parts");
        }
        this.parts = new AtomicReferenceArray<>(count);
        this.partLines = segment.section(SectionIds.PARTS).getInt(Integer.BYTES);
        ByteBuffer summary = segment.section(SectionIds.SUMMARY);
        if (partLines <= 0 || (long) partLines * count != summary.getInt()) {
            throw new CorruptSegmentException("has parts of " + partLines + " lines");
        }
        this.someWithoutId = summary.getInt() != 0;
        for (IndexedField field : FIELDS) {
            ranges[field.ordinal()] = KeyRange.read(summary);
        }
    }

    /** The number of parts. */
    public int parts() {
        return parts.length();
    }

    /** The lines of a part; only their columns, digests and ids. */
    public SegmentReader part(int number) {
        SegmentReader known = parts.get(number);
        if (known == null) {
            try {
                known = new SegmentReader(segment.part(number));
                if (known.count() != partLines) {
                    throw new CorruptSegmentException("has a part of " + known.count() + " lines");
                }
            } catch (CorruptSegmentException e) {
                throw new UncheckedIOException(e);
            }
            parts.set(number, known);
        }
        return known;
    }

    /**
     * Checks all sections.
     *
     * @throws CorruptSegmentException if one is damaged
     */
    public void check() throws CorruptSegmentException {
        segment.check();
    }

    TermDictionary dictionary(IndexedField field) {
        TermDictionary known = dictionaries.get(field.ordinal());
        if (known == null) {
            try {
                known = new TermDictionary(segment.section(SectionIds.of(field)));
            } catch (CorruptSegmentException e) {
                throw new UncheckedIOException(e);
            }
            dictionaries.set(field.ordinal(), known);
        }
        return known;
    }

    private SegmentReader of(int line) {
        return part(line / partLines);
    }

    private int in(int line) {
        return line % partLines;
    }

    @Override
    public int count() {
        return parts() * partLines;
    }

    @Override
    public long offset(int line) {
        return of(line).offset(in(line));
    }

    @Override
    public int length(int line) {
        return of(line).length(in(line));
    }

    @Override
    public long time(int line) {
        return of(line).time(in(line));
    }

    @Override
    public Entry.Kind kind(int line) {
        return of(line).kind(in(line));
    }

    @Override
    public long digest(int line) {
        return of(line).digest(in(line));
    }

    @Override
    public @Nullable String id(int line) {
        return of(line).id(in(line));
    }

    @Override
    public long occurrences(int line) {
        return of(line).occurrences(in(line));
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return id == null ? someWithoutId : ranges[IndexedField.ID.ordinal()].mayHave(id);
    }

    @Override
    public int withDigest(long digest) {
        for (int i = 0; i < parts(); i++) {
            int line = part(i).withDigest(digest);
            if (line >= 0) {
                return i * partLines + line;
            }
        }
        return NONE;
    }

    @Override
    public int withDigest(long digest, @Nullable String id) {
        for (int i = 0; i < parts() && mayHave(id); i++) {
            int line = part(i).withDigest(digest, id);
            if (line >= 0) {
                return i * partLines + line;
            }
        }
        return NONE;
    }

    @Override
    public Postings postings(IndexedField field, String key) {
        if (!ranges[field.ordinal()].mayHave(key)) {
            return Postings.EMPTY;
        }
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        if (field == IndexedField.ID) {
            for (int i = 0; i < parts(); i++) {
                all.add(i * partLines, part(i).postings(field, key));
            }
            return all.build();
        }
        TermDictionary dictionary = dictionary(field);
        int place = dictionary.find(key);
        if (place < 0) {
            return Postings.EMPTY;
        }
        ByteBuffer in = dictionary.section();
        PartPostings lists = new PartPostings(in, dictionary.valueStart(place), dictionary.valueEnd(place), parts());
        for (int i = 0; i < lists.size(); i++) {
            all.add(lists.part(i) * partLines, new EncodedPostings(in, lists.start(i), partLines));
        }
        return all.build();
    }

    /** Keys of ids that several parts have are passed on several times. */
    @Override
    public void keys(IndexedField field, String prefix, Predicate<String> each) {
        if (!ranges[field.ordinal()].mayHavePrefix(prefix)) {
            return;
        }
        if (field != IndexedField.ID) {
            dictionary(field).keys(prefix, each);
            return;
        }
        for (int i = 0; i < parts(); i++) {
            part(i).keys(field, prefix, each);
        }
    }

    @Override
    public boolean has(IndexedField field) {
        return ranges[field.ordinal()].size() > 0;
    }

    @Override
    public void covering(Consumer<Integer> each) {
        for (int i = 0; i < parts(); i++) {
            int base = i * partLines;
            part(i).covering(line -> each.accept(Objects.checkIndex(line, partLines) + base));
        }
    }
}
