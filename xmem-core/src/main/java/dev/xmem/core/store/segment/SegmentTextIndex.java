package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The text index of a segment, read from its file. Immutable and thread-safe. */
public final class SegmentTextIndex implements TextIndex {
    private final int end;
    private final ByteBuffer lengths;
    private final ByteBuffer fewWords;
    private final TermDictionary terms;

    /** The text index of a segment of {@code lines} lines, as {@link #write} wrote it. */
    public SegmentTextIndex(SectionFile segment, int lines) throws CorruptSegmentException {
        this.lengths = segment.section(SectionIds.WORD_COUNTS);
        this.end = lengths.limit() / 8 - 1;
        this.terms = new TermDictionary(segment.section(SectionIds.TERMS));
        this.fewWords = segment.section(SectionIds.FEW_WORDS);
        if (end != lines || fewWords.limit() != lines) {
            throw new CorruptSegmentException("has lengths of " + end + " lines instead of " + lines);
        }
    }

    /** Writes the text index of a segment of {@code lines} lines, and {@linkplain MemoryTextIndex#drain drains} it. */
    public static void write(MemoryTextIndex words, int lines, SectionWriter out) {
        out.section(SectionIds.WORD_COUNTS);
        for (int line = 0; line <= lines; line++) {
            int below = Math.min(line, words.end());
            out.writeInt(words.entriesBelow(below));
            out.writeInt(Math.toIntExact(words.wordsBelow(below)));
        }
        out.section(SectionIds.FEW_WORDS);
        byte[] few = words.norms(words.end());
        out.writeBytes(Arrays.copyOf(few, lines), 0, lines);
        ByteArrays keys = new ByteArrays();
        ByteArrays values = new ByteArrays();
        words.drain((term, count, postings, length) -> {
            keys.add(term, 0, term.length);
            int at = values.reserve(Varints.length(count) + length);
            System.arraycopy(postings, 0, values.bytes(), Varints.put(values.bytes(), at, count), length);
        });
        out.section(SectionIds.TERMS);
        new TermDictionary.Builder(keys, values).write(out);
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
