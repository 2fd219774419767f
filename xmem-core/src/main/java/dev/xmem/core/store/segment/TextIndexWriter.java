package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.DocumentTerms;
import dev.xmem.core.store.terms.MemoryTextIndex;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The words of a stretch of a log on their way into a segment, which {@link SegmentTextIndex} reads. Nobody searches here, unlike in
 * a {@link MemoryTextIndex}; so postings are written down one after the other as lines come in, and sorted by term in the end. One
 * thread only.
 */
public final class TextIndexWriter {
    private static final int NO_ENTRY = -1;

    private final TermInterner vocabulary = new TermInterner();
    private final DocumentTerms entry = new DocumentTerms(vocabulary);
    private final PostingsBuffer postings = new PostingsBuffer();
    private final int[] words;

    /** For so many lines. */
    public TextIndexWriter(int lines) {
        this.words = new int[lines];
        Arrays.fill(words, NO_ENTRY);
    }

    /**
     * Adds an entry.
     *
     * @param line above that of the entry before
     * @param fields called once, with the place to put the entry's texts
     */
    public void add(int line, Consumer<? super MemoryTextIndex.Fields> fields) {
        entry.read(fields);
        words[line] = entry.words();
        postings.line(line);
        for (int i = 0; i < entry.count(); i++) {
            postings.add(entry.term(i), entry.weight(i));
        }
    }

    /** Writes them as sections. Nothing is added any more. */
    public void write(SectionWriter out) {
        out.section(SegmentTextIndex.LENGTHS);
        int entries = 0;
        int all = 0;
        out.writeLong(0);
        for (int length : words) {
            entries += length == NO_ENTRY ? 0 : 1;
            all = Math.addExact(all, Math.max(0, length));
            out.writeInt(entries);
            out.writeInt(all);
        }
        out.section(SegmentTextIndex.FEW_WORDS);
        for (int length : words) {
            out.writeByte(MemoryTextIndex.norm(Math.max(0, length)));
        }
        out.section(SegmentTextIndex.TERMS);
        new TermDictionary.Builder(
                        vocabulary.terms(), postings.byTerm(vocabulary.terms().count()))
                .write(out);
    }
}
