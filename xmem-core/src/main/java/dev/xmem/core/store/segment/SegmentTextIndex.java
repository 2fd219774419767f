package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The text index of a segment, read from its file. Immutable and thread-safe. */
public final class SegmentTextIndex implements TextIndex {
    private final int end;
    /** How many parts it has, if it is merged; else 0. */
    private final int parts;

    private final ByteBuffer lengths;
    private final ByteBuffer fewWords;
    private final TermDictionary terms;

    /** The text index of a segment of {@code lines} lines, as {@link #write} wrote it. */
    public SegmentTextIndex(SectionFile segment, int lines) throws CorruptSegmentException {
        this.lengths = segment.section(SectionIds.WORD_COUNTS);
        this.end = lengths.limit() / 8 - 1;
        this.parts = segment.parts();
        this.terms = new TermDictionary(segment.section(SectionIds.TERMS));
        this.fewWords = segment.section(SectionIds.FEW_WORDS);
        if (end != lines || parts < 0 || parts > 0 && end % parts != 0 || fewWords.limit() != lines) {
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
        byte[] few = new byte[lines];
        words.norms(0, words.end(), few);
        out.writeBytes(few, 0, lines);
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
    public void norms(int from, int count, byte[] into) {
        fewWords.get(from, into, 0, count);
    }

    @Override
    public @Nullable TermPostings find(String term) {
        int place = terms.find(term);
        return place < 0 ? null : parts == 0 ? new Sealed(place) : new Merged(place);
    }

    /** The posting lists of the parts of a merged segment. */
    private final class Merged implements TermPostings, PostingsIterator.Chunks {
        private final PartPostings lists;

        Merged(int place) {
            this.lists = new PartPostings(terms.section(), terms.valueStart(place), terms.valueEnd(place), parts);
        }

        @Override
        public int count(int cutoff) {
            if (cutoff < end) {
                return PostingsIterator.count(iterator(cutoff));
            }
            int count = 0;
            for (int i = 0; i < lists.size(); i++) {
                count += Varints.get(terms.section(), lists.start(i));
            }
            return count;
        }

        @Override
        public @Nullable PostingsIterator iterator(int cutoff) {
            return PostingsIterator.over(this, cutoff);
        }

        @Override
        public int size() {
            return lists.size();
        }

        @Override
        public int base(int number) {
            return lists.part(number) * (end / parts);
        }

        @Override
        public int limit(int number) {
            return base(number) + end / parts;
        }

        @Override
        public byte[] bytes(int number) {
            int start = lists.start(number);
            return postings(start, lists.end(number), Varints.get(terms.section(), start));
        }
    }

    private byte[] postings(int start, int to, int count) {
        byte[] bytes = new byte[Math.max(0, to - start - Varints.length(count))];
        terms.section().get(to - bytes.length, bytes);
        return bytes;
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
            return PostingsIterator.over(postings(start, to, count), 0, cutoff);
        }
    }
}
