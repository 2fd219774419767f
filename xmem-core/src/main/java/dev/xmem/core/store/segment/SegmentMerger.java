package dev.xmem.core.store.segment;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Merges consecutive full segments, which have as many lines each, or are merged of such, into one file. A merged
 * segment has the sections of both files of a segment, with three differences:
 *
 * <ul>
 *   <li>The columns, the digests, the covering lines, the dictionary of ids, the summary and the word pairs are copied
 *       for each part, see {@link SectionIds#inPart}.
 *   <li>A value of another dictionary has the lists of the parts, see {@link PartPostings}.
 *   <li>{@link SectionIds#PARTS} says how many parts there are.
 * </ul>
 *
 * <p>No line is read. Not thread-safe. Decision: docs/adr/0079-merged-segments.md.
 */
public final class SegmentMerger {
    private static final int[] COPIED = {
        SectionIds.SUMMARY,
        SectionIds.COLUMNS,
        SectionIds.DIGESTS,
        SectionIds.COVERING,
        SectionIds.WORD_PAIRS,
        SectionIds.of(IndexedField.ID)
    };

    private final List<Source> sources = new ArrayList<>();
    private final int partLines;
    private final BooleanSupplier stopped;
    private int parts;

    /** A segment to be merged: its files, or one as both; its first part; how many it has, 0 if it is not merged. */
    private record Source(SectionFile facts, SectionFile text, int firstPart, int parts) {
        ByteBuffer section(int id) throws CorruptSegmentException {
            return (id >= SectionIds.TRIGRAMS && id <= SectionIds.IMPACTS ? text : facts).section(id);
        }

        ByteBuffer section(int id, int part) throws CorruptSegmentException {
            return section(parts == 0 ? id : SectionIds.inPart(id, part - firstPart));
        }
    }

    /**
     * A merger of segments.
     *
     * @param partLines how many lines a segment has that is not merged
     * @param stopped whether {@link #write} is to end with a {@link CancellationException}
     */
    public SegmentMerger(int partLines, BooleanSupplier stopped) {
        this.partLines = partLines;
        this.stopped = stopped;
    }

    static void check(BooleanSupplier stopped) {
        if (stopped.getAsBoolean()) {
            throw new CancellationException("stopped");
        }
    }

    /** Adds the next segment, by its two files; those of a merged one are the same. */
    public void add(SectionFile facts, SectionFile text) throws CorruptSegmentException {
        int merged = facts.parts();
        sources.add(new Source(facts, text, parts, merged));
        parts += Math.max(1, merged);
        if (parts > PartPostings.MOST) {
            throw new CorruptSegmentException("has " + parts + " parts");
        }
    }

    /** Writes the merged segment. */
    public void write(SegmentHeader header, OutputStream to) throws IOException {
        try {
            SectionWriter out = new SectionWriter(to);
            header.write(out);
            out.section(SectionIds.PARTS);
            out.writeInt(parts);
            out.writeInt(partLines);
            KeyRange[] ranges = writeFields(out);
            writeSummary(ranges, out);
            statistics().write(out);
            writeParts(out);
            writeText(out);
            out.finish();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The statistics of all lines. */
    private SegmentStatistics statistics() throws CorruptSegmentException {
        SegmentStatistics all = new SegmentStatistics();
        for (Source source : sources) {
            all.add(SegmentStatistics.read(source.facts), source.firstPart * partLines);
        }
        return all;
    }

    private KeyRange[] writeFields(SectionWriter out) throws CorruptSegmentException {
        KeyRange[] ranges = new KeyRange[IndexedField.values().length];
        for (IndexedField field : IndexedField.values()) {
            ranges[field.ordinal()] = field == IndexedField.ID ? rangeOfIds() : merge(SectionIds.of(field), out);
        }
        return ranges;
    }

    private KeyRange merge(int id, SectionWriter out) throws CorruptSegmentException {
        DictionaryMerger merger = new DictionaryMerger();
        for (Source source : sources) {
            if (id != SectionIds.IMPACTS || source.text.has(id)) {
                merger.add(source.section(id), source.firstPart, source.parts);
            }
        }
        out.section(id);
        merger.write(out, stopped);
        return merger.range();
    }

    private KeyRange rangeOfIds() throws CorruptSegmentException {
        KeyRange all = KeyRange.of("", "", 0);
        for (Source source : sources) {
            ByteBuffer summary = source.section(SectionIds.SUMMARY);
            all = all.with(KeyRange.read(summary.position(2 * Integer.BYTES)));
        }
        return all;
    }

    private void writeSummary(KeyRange[] ranges, SectionWriter out) throws CorruptSegmentException {
        int someWithoutId = 0;
        for (Source source : sources) {
            someWithoutId |= source.section(SectionIds.SUMMARY).getInt(Integer.BYTES);
        }
        out.section(SectionIds.SUMMARY);
        out.writeInt(parts * partLines);
        out.writeInt(someWithoutId);
        for (KeyRange range : ranges) {
            range.write(out);
        }
    }

    private void writeParts(SectionWriter out) throws CorruptSegmentException {
        for (Source source : sources) {
            for (int part = source.firstPart; part < source.firstPart + Math.max(1, source.parts); part++) {
                check(stopped);
                for (int id : COPIED) {
                    copy(source.section(id, part), SectionIds.inPart(id, part), out);
                }
            }
        }
    }

    private static void copy(ByteBuffer from, int id, SectionWriter out) {
        out.section(id);
        out.writeBytes(from, 0, from.limit());
    }

    private void writeText(SectionWriter out) throws CorruptSegmentException {
        List<TrigramFilter> trigrams = new ArrayList<>();
        int[] bases = new int[sources.size()];
        for (Source source : sources) {
            bases[trigrams.size()] = source.firstPart * partLines;
            trigrams.add(new TrigramFilter(source.text, Math.max(1, source.parts) * partLines));
        }
        TrigramFilter.merge(trigrams, bases, parts * partLines, out);
        check(stopped);
        writeWordCounts(out);
        out.section(SectionIds.FEW_WORDS);
        for (Source source : sources) {
            ByteBuffer few = source.section(SectionIds.FEW_WORDS);
            out.writeBytes(few, 0, few.limit());
        }
        merge(SectionIds.TERMS, out);
        if (sources.stream().anyMatch(source -> source.text.has(SectionIds.IMPACTS))) {
            merge(SectionIds.IMPACTS, out);
        }
    }

    private void writeWordCounts(SectionWriter out) throws CorruptSegmentException {
        out.section(SectionIds.WORD_COUNTS);
        int entries = 0;
        int words = 0;
        out.writeLong(0);
        for (Source source : sources) {
            ByteBuffer counts = source.section(SectionIds.WORD_COUNTS);
            int last = counts.limit() - Long.BYTES;
            for (int at = Long.BYTES; at <= last; at += Long.BYTES) {
                out.writeInt(Math.addExact(entries, counts.getInt(at)));
                out.writeInt(Math.addExact(words, counts.getInt(at + Integer.BYTES)));
            }
            entries += counts.getInt(last);
            words += counts.getInt(last + Integer.BYTES);
        }
    }
}
