package dev.xmem.core.words;

import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Dictionary;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.SegmentWriter;
import dev.xmem.core.segment.Varints;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The words of a stretch as a segment tells them. Immutable and thread-safe. */
public final class SealedWords implements WordLines {
    private static final int LENGTHS = 9;
    private static final int TERMS = 10;
    private static final int FEW_WORDS = 11;

    private final int end;
    private final ByteBuffer lengths;
    private final ByteBuffer fewWords;
    private final Dictionary terms;

    /** The words of a segment that {@link #write} made of so many lines. */
    public SealedWords(Segment segment, int lines) throws BadSegment {
        this.lengths = segment.section(LENGTHS);
        this.end = lengths.limit() / 8 - 1;
        this.terms = new Dictionary(segment.section(TERMS));
        this.fewWords = segment.section(FEW_WORDS);
        if (end != lines || fewWords.limit() != lines) {
            throw new BadSegment("has lengths of " + end + " lines instead of " + lines);
        }
    }

    /** Writes an index to which nothing is added any more, for so many lines. */
    public static void write(WordIndex index, int lines, SegmentWriter out) {
        out.section(LENGTHS);
        for (int line = 0; line <= lines; line++) {
            int known = Math.min(line, index.end());
            out.writeInt(index.entriesBelow(known));
            out.writeInt(Math.toIntExact(index.wordsBelow(known)));
        }
        out.section(FEW_WORDS);
        byte[] few = index.fewWords(Math.min(lines, index.end()));
        out.writeBytes(Arrays.copyOf(few, lines), 0, lines);
        Dictionary.Builder terms = new Dictionary.Builder();
        index.terms().each(postings -> {
            byte[] encoded = postings.encoded();
            byte[] value = new byte[encoded.length + 5];
            int at = Varints.put(value, 0, postings.count(Integer.MAX_VALUE));
            System.arraycopy(encoded, 0, value, at, encoded.length);
            terms.put(postings.term(), Arrays.copyOf(value, at + encoded.length));
        });
        out.section(TERMS);
        terms.write(out);
    }

    @Override
    public int end() {
        return end;
    }

    @Override
    public int entriesBelow(int cutoff) {
        return lengths.getInt(8 * cutoff);
    }

    @Override
    public long wordsBelow(int cutoff) {
        return lengths.getInt(8 * cutoff + 4);
    }

    @Override
    public int words(int line) {
        return lengths.getInt(8 * line + 12) - lengths.getInt(8 * line + 4);
    }

    @Override
    public byte[] fewWords(int cutoff) {
        byte[] few = new byte[cutoff];
        fewWords.get(0, few);
        return few;
    }

    @Override
    public @Nullable TermLines find(String term) {
        int place = terms.find(term);
        return place < 0 ? null : new Sealed(place);
    }

    private final class Sealed implements TermLines {
        private final int start;
        private final int to;
        private final int count;

        Sealed(int place) {
            this.start = terms.valueStart(place);
            this.to = terms.valueEnd(place);
            this.count = Varints.get(terms.section(), start);
        }

        @Override
        public int count(int cutoff) {
            return cutoff >= end ? count : PostingCursor.count(cursor(cutoff));
        }

        @Override
        public @Nullable PostingCursor cursor(int cutoff) {
            byte[] bytes = new byte[Math.max(0, to - start - Varints.length(count))];
            terms.section().get(to - bytes.length, bytes);
            return PostingCursor.over(bytes, 0, cutoff);
        }
    }
}
