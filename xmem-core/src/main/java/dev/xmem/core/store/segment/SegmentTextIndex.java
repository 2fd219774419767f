package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.ForwardIndex;
import dev.xmem.core.store.terms.Impacts;
import dev.xmem.core.store.terms.MemoryTextIndex;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The text index of a segment, read from its file. Thread-safe, and immutable but for the terms that it remembers. */
public final class SegmentTextIndex implements TextIndex {
    /** How many terms are remembered: a power of two. */
    static final int RECENT = 256;

    private final Object identity = new Object();
    private final int end;
    /** How many parts it has, if it is merged; else 0. */
    private final int parts;

    private final ByteBuffer lengths;
    private final ByteBuffer fewWords;
    private final TermDictionary terms;
    /** Of the long posting lists; null in a segment that was written without. */
    private final @Nullable TermDictionary impacts;
    /** Terms that were found lately or are not there, by their hashes. */
    private final AtomicReferenceArray<@Nullable Found> recent = new AtomicReferenceArray<>(RECENT);

    private record Found(String term, @Nullable TermPostings postings) {}

    /** The text index of a segment of {@code lines} lines, as {@link #write} wrote it. */
    public SegmentTextIndex(SectionFile segment, int lines) throws CorruptSegmentException {
        this.lengths = segment.section(SectionIds.WORD_COUNTS);
        this.end = lengths.limit() / 8 - 1;
        this.parts = segment.parts();
        this.terms = new TermDictionary(segment.section(SectionIds.TERMS));
        this.impacts = segment.has(SectionIds.IMPACTS) ? new TermDictionary(segment.section(SectionIds.IMPACTS)) : null;
        this.fewWords = segment.section(SectionIds.FEW_WORDS);
        if (end != lines || parts < 0 || parts > 0 && end % parts != 0 || fewWords.limit() != lines) {
            throw new CorruptSegmentException("has lengths of " + end + " lines instead of " + lines);
        }
    }

    /** Writes the text index of a segment. */
    public static void write(ForwardIndex words, SectionWriter out) {
        int lines = words.lines();
        byte[] few = new byte[lines];
        int entries = 0;
        int all = 0;
        out.section(SectionIds.WORD_COUNTS);
        out.writeLong(0);
        for (int line = 0; line < lines; line++) {
            entries += words.isEntry(line) ? 1 : 0;
            all = Math.addExact(all, words.words(line));
            few[line] = MemoryTextIndex.norm(words.words(line));
            out.writeInt(entries);
            out.writeInt(all);
        }
        out.section(SectionIds.FEW_WORDS);
        out.writeBytes(few, 0, lines);
        ByteArrays keys = new ByteArrays();
        ByteArrays values = new ByteArrays();
        ByteArrays longKeys = new ByteArrays();
        ByteArrays impacts = new ByteArrays();
        words.invert(term -> {
            keys.add(term.terms(), term.start(), term.end() - term.start());
            int length = term.to() - term.from();
            if (term.count() >= BlockImpacts.BLOCK) {
                byte[] postings = Arrays.copyOfRange(term.postings(), term.from(), term.to());
                byte[] blocks = BlockImpacts.encode(postings, term.count(), words::words);
                longKeys.add(term.terms(), term.start(), term.end() - term.start());
                impacts.add(blocks, 0, blocks.length);
            }
            int at = values.reserve(Varints.length(term.count()) + length);
            int begin = Varints.put(values.bytes(), at, term.count());
            System.arraycopy(term.postings(), term.from(), values.bytes(), begin, length);
        });
        out.section(SectionIds.TERMS);
        new TermDictionary.Builder(keys, values).write(out);
        if (longKeys.count() > 0) {
            out.section(SectionIds.IMPACTS);
            new TermDictionary.Builder(longKeys, impacts).write(out);
        }
    }

    @Override
    public int end() {
        return end;
    }

    @Override
    public Object identity() {
        return identity;
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
    public int runLines() {
        return parts == 0 ? Integer.MAX_VALUE : end / parts;
    }

    @Override
    public @Nullable TermPostings find(String term) {
        int hash = term.hashCode();
        int slot = hash & RECENT - 1;
        Found known = recent.get(slot);
        if (known != null && !known.term.equals(term)) {
            slot = hash >>> 8 & RECENT - 1; // another place, so that two terms seldom take turns in one
            known = recent.get(slot);
        }
        if (known == null || !known.term.equals(term)) {
            known = new Found(term, read(term));
            recent.set(slot, known);
        }
        return known.postings;
    }

    private @Nullable TermPostings read(String term) {
        int place = terms.find(term);
        if (place < 0) {
            return null;
        }
        // A posting takes a byte or more.
        boolean isLong = terms.valueEnd(place) - terms.valueStart(place) >= BlockImpacts.BLOCK;
        int blocks = impacts == null || !isLong ? -1 : impacts.find(term);
        return new Lists(lists(terms, place), impacts == null || blocks < 0 ? null : lists(impacts, blocks));
    }

    private PartPostings lists(TermDictionary dictionary, int place) {
        ByteBuffer in = dictionary.section();
        int from = dictionary.valueStart(place);
        int to = dictionary.valueEnd(place);
        return parts == 0 ? PartPostings.single(from, to) : new PartPostings(in, from, to, parts);
    }

    /** The posting lists of a term in the parts of a segment; one that is not merged is a part of its own. */
    private final class Lists implements TermPostings, PostingsIterator.Chunks {
        private final PartPostings lists;
        private final @Nullable PartPostings blocks;
        /** The number of postings in all lists; negative until it is asked for. */
        private int all = -1;

        Lists(PartPostings lists, @Nullable PartPostings blocks) {
            this.lists = lists;
            this.blocks = blocks;
        }

        @Override
        public int count(int cutoff) {
            if (cutoff < end) {
                return PostingsIterator.count(iterator(cutoff));
            }
            if (all < 0) {
                int count = 0;
                for (int i = 0; i < lists.size(); i++) {
                    count += size(i);
                }
                all = count;
            }
            return all;
        }

        @Override
        public @Nullable PostingsIterator iterator(int cutoff) {
            return PostingsIterator.over(this, cutoff);
        }

        @Override
        public @Nullable RunPostings run(int number) {
            int list = lists.find(number);
            if (list < 0 || impacts == null || blocks == null) {
                return list < 0 ? null : new Run(this, list, null);
            }
            int place = blocks.find(number);
            int lines = Math.min(end, runLines());
            return new Run(
                    this,
                    list,
                    place < 0
                            ? null
                            : new BlockImpacts(
                                    impacts.section(), blocks.start(place), blocks.end(place), base(list), lines));
        }

        @Override
        public int chunks() {
            return lists.size();
        }

        private int size(int number) {
            return Varints.get(terms.section(), lists.start(number));
        }

        @Override
        public int base(int number) {
            return parts == 0 ? 0 : lists.part(number) * runLines();
        }

        @Override
        public int limit(int number) {
            return base(number) + Math.min(end, runLines());
        }

        @Override
        public byte[] bytes(int number) {
            int first = lists.start(number) + Varints.length(size(number));
            return postings(first, lists.end(number));
        }
    }

    private byte[] postings(int from, int to) {
        byte[] bytes = new byte[Math.max(0, to - from)];
        terms.section().get(from, bytes);
        return bytes;
    }

    /** One list of a term; its chunks are the blocks, of which only those are copied that are read. */
    private final class Run implements RunPostings, PostingsIterator.Chunks {
        private final int size;
        private final int base;
        private final int start;
        private final int to;
        private final @Nullable BlockImpacts impacts;

        Run(Lists term, int list, @Nullable BlockImpacts impacts) {
            this.size = term.size(list);
            this.base = term.base(list);
            this.start = term.lists.start(list) + Varints.length(size);
            this.to = term.lists.end(list);
            this.impacts = impacts;
        }

        @Override
        public @Nullable PostingsIterator iterator(int cutoff) {
            return PostingsIterator.over(this, cutoff);
        }

        @Override
        public @Nullable Impacts impacts() {
            return impacts;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public int chunks() {
            return impacts == null ? 1 : impacts.blocks();
        }

        @Override
        public int base(int number) {
            return number == 0 || impacts == null ? base : impacts.last(number - 1);
        }

        @Override
        public int limit(int number) {
            return impacts == null ? base + Math.min(end, runLines()) : impacts.last(number) + 1;
        }

        @Override
        public byte[] bytes(int number) {
            if (impacts == null) {
                return postings(start, to);
            }
            int from = number == 0 ? 0 : impacts.end(number - 1);
            Objects.checkFromToIndex(from, impacts.end(number), Math.max(0, to - start));
            return postings(start + from, start + impacts.end(number));
        }
    }
}
