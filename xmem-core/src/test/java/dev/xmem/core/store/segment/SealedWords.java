package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.ForwardIndex;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** Text indexes of segments, without the lines. */
public final class SealedWords {
    private SealedWords() {}

    /** The text index of a segment. */
    public static SectionFile sealed(ForwardIndex words) {
        SectionWriter out = new SectionWriter();
        SegmentTextIndex.write(words, out);
        return file(out);
    }

    /** The text index of a segment that is merged of some with as many lines each. */
    public static SectionFile merged(List<SectionFile> parts, int lines) throws CorruptSegmentException {
        SectionWriter out = new SectionWriter();
        out.section(SectionIds.PARTS);
        out.writeInt(parts.size());
        out.writeInt(lines);
        int entries = 0;
        int words = 0;
        out.section(SectionIds.WORD_COUNTS);
        out.writeLong(0);
        for (SectionFile part : parts) {
            ByteBuffer counts = part.section(SectionIds.WORD_COUNTS);
            for (int line = 1; line <= lines; line++) {
                out.writeInt(entries + counts.getInt(8 * line));
                out.writeInt(words + counts.getInt(8 * line + 4));
            }
            entries += counts.getInt(8 * lines);
            words += counts.getInt(8 * lines + 4);
        }
        out.section(SectionIds.FEW_WORDS);
        for (SectionFile part : parts) {
            out.writeBytes(part.section(SectionIds.FEW_WORDS), 0, lines);
        }
        merge(parts, SectionIds.TERMS, out);
        merge(parts, SectionIds.IMPACTS, out);
        return file(out);
    }

    private static void merge(List<SectionFile> parts, int id, SectionWriter out) throws CorruptSegmentException {
        DictionaryMerger merger = new DictionaryMerger();
        for (int part = 0; part < parts.size(); part++) {
            if (parts.get(part).has(id)) {
                merger.add(parts.get(part).section(id), part, 0);
            }
        }
        out.section(id);
        merger.write(out, () -> false);
    }

    /** A segment without impacts, as earlier versions wrote it. */
    public static SectionFile withoutImpacts(SectionFile segment) throws CorruptSegmentException {
        SectionWriter out = new SectionWriter();
        for (int id : new int[] {SectionIds.WORD_COUNTS, SectionIds.FEW_WORDS, SectionIds.TERMS}) {
            ByteBuffer bytes = segment.section(id);
            out.section(id);
            out.writeBytes(bytes, 0, bytes.limit());
        }
        return file(out);
    }

    /** A segment with some bytes of its impacts changed, and the right checksums. */
    public static SectionFile forged(SectionFile segment, Random random) throws CorruptSegmentException {
        SectionWriter out = new SectionWriter();
        for (int id : new int[] {SectionIds.WORD_COUNTS, SectionIds.FEW_WORDS, SectionIds.TERMS}) {
            ByteBuffer bytes = segment.section(id);
            out.section(id);
            out.writeBytes(bytes, 0, bytes.limit());
        }
        byte[] impacts = new byte[segment.section(SectionIds.IMPACTS).limit()];
        segment.section(SectionIds.IMPACTS).get(impacts);
        for (int i = random.nextInt(6); i >= 0; i--) {
            int at = random.nextInt(4) == 0
                    ? random.nextInt(Math.min(64, impacts.length))
                    : random.nextInt(impacts.length);
            impacts[at] = (byte) (random.nextBoolean() ? 0xFF : random.nextInt());
        }
        out.section(SectionIds.IMPACTS);
        out.writeBytes(impacts, 0, random.nextInt(8) == 0 ? random.nextInt(impacts.length) : impacts.length);
        return file(out);
    }

    private static SectionFile file(SectionWriter out) {
        try {
            return SectionFile.of(ByteBuffer.wrap(out.finish()));
        } catch (CorruptSegmentException e) {
            throw new AssertionError(e);
        }
    }
}
