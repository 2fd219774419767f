package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The words of a stretch as a segment tells them. Immutable and thread-safe. */
public final class SegmentTextIndex implements TextIndex {
    static final int LENGTHS = 9;
    static final int TERMS = 10;
    static final int FEW_WORDS = 11;

    private final int end;
    private final ByteBuffer lengths;
    private final ByteBuffer fewWords;
    private final TermDictionary terms;

    /** The words of a segment that {@link TextIndexWriter} wrote of so many lines. */
    public SegmentTextIndex(SectionFile segment, int lines) throws CorruptSegmentException {
        this.lengths = segment.section(LENGTHS);
        this.end = lengths.limit() / 8 - 1;
        this.terms = new TermDictionary(segment.section(TERMS));
        this.fewWords = segment.section(FEW_WORDS);
        if (end != lines || fewWords.limit() != lines) {
            throw new CorruptSegmentException("has lengths of " + end + " lines instead of " + lines);
        }
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
    public byte[] norms(int cutoff) {
        byte[] few = new byte[cutoff];
        fewWords.get(0, few);
        return few;
    }

    @Override
    public @Nullable TermPostings find(String term) {
        int place = terms.find(term);
        return place < 0 ? null : new Sealed(place);
    }

    private final class Sealed implements TermPostings {
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
            return cutoff >= end ? count : PostingsIterator.count(iterator(cutoff));
        }

        @Override
        public @Nullable PostingsIterator iterator(int cutoff) {
            byte[] bytes = new byte[Math.max(0, to - start - Varints.length(count))];
            terms.section().get(to - bytes.length, bytes);
            return PostingsIterator.over(bytes, 0, cutoff);
        }
    }
}
