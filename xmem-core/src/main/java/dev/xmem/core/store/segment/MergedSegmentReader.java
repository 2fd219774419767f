package dev.xmem.core.store.segment;

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
public final class MergedSegmentReader implements LineColumns.InParts {
    private static final IndexedField[] FIELDS = IndexedField.values();

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

    @Override
    public int parts() {
        return parts.length();
    }

    /** The lines of a part; only their columns, digests and ids. */
    @Override
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

    @Override
    public SegmentReader of(int line) {
        return part(line / partLines);
    }

    @Override
    public int in(int line) {
        return line % partLines;
    }

    @Override
    public int base(int part) {
        return part * partLines;
    }

    @Override
    public int count() {
        return parts() * partLines;
    }

    @Override
    public boolean mayHave(@Nullable String id) {
        return id == null ? someWithoutId : ranges[IndexedField.ID.ordinal()].mayHave(id);
    }

    @Override
    public int withDigest(long digest, @Nullable String id) {
        return mayHave(id) ? InParts.super.withDigest(digest, id) : -1;
    }

    @Override
    public Postings postings(IndexedField field, String key) {
        if (!ranges[field.ordinal()].mayHave(key)) {
            return Postings.EMPTY;
        }
        if (field == IndexedField.ID) {
            return InParts.super.postings(field, key);
        }
        TermDictionary dictionary = dictionary(field);
        int place = dictionary.find(key);
        if (place < 0) {
            return Postings.EMPTY;
        }
        ByteBuffer in = dictionary.section();
        ConcatenatedPostings.Builder all = new ConcatenatedPostings.Builder();
        PartPostings lists = new PartPostings(in, dictionary.valueStart(place), dictionary.valueEnd(place), parts());
        for (int i = 0; i < lists.size(); i++) {
            all.add(base(lists.part(i)), new EncodedPostings(in, lists.start(i), partLines));
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
            int base = base(i);
            part(i).covering(line -> each.accept(Objects.checkIndex(line, partLines) + base));
        }
    }
}
