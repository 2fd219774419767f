package dev.xmem.core.store.terms;

import dev.xmem.core.text.analysis.Analyzer;
import dev.xmem.core.text.analysis.TokenType;
import dev.xmem.core.text.analysis.WordChars;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The terms of every entry that contains a text: the words with a separator on both sides within the text, and the
 * parts of an identifier or a path with a joiner on both sides. A search for a literal reads only lines that have all
 * of them. Texts that are not ASCII have none. Immutable.
 */
public final class RequiredTerms {
    /** The analyzer reads every word of an entry with fewer bytes than this. */
    public static final int WHOLLY_ANALYSED_BYTES = Analyzer.MOST_WORDS;

    /** What is read of a text: its beginning is in every entry that has all of it. */
    private static final int MOST_CHARS = 4096;

    private final List<String> terms;

    private RequiredTerms(Set<String> terms) {
        this.terms = List.copyOf(terms);
    }

    /** The required terms of a text. */
    public static RequiredTerms of(String whole) {
        String text = whole.substring(0, Math.min(MOST_CHARS, whole.length()));
        Set<String> terms = new LinkedHashSet<>();
        if (text.chars().allMatch(c -> c < 0x80)) {
            int from = 0;
            while (from < text.length() && !isSeparator(text.charAt(from))) {
                from++;
            }
            int to = text.length() - 1;
            while (to >= 0 && !isSeparator(text.charAt(to))) {
                to--;
            }
            if (from < to) {
                add(terms, text.substring(from, to));
            }
            parts(terms, text.substring(0, from), false, from < text.length());
            parts(terms, text.substring(to + 1), to >= 0, false);
        }
        return new RequiredTerms(terms);
    }

    private static void add(Set<String> terms, String text) {
        for (Analyzer.Term term : Analyzer.terms(text)) {
            if (term.kind() != TokenType.NEGATED && term.kind() != TokenType.CAUSE) {
                terms.add(term.text());
            }
        }
    }

    /**
     * Adds the complete parts of a fragment of an identifier. The analyzer may drop a part beside an apostrophe, and it
     * does not split numbers.
     *
     * @param begins whether the fragment's beginning is that of the identifier
     * @param ends whether the fragment's end is that of the identifier
     */
    private static void parts(Set<String> terms, String chunk, boolean begins, boolean ends) {
        boolean whole = begins;
        int from = 0;
        for (int i = 0; i <= chunk.length(); i++) {
            boolean end = i == chunk.length();
            if (!end && WordChars.kind(chunk.charAt(i)) != WordChars.JOINER) {
                continue;
            }
            boolean joined = !end && !WordChars.isApostrophe(chunk.charAt(i));
            if (whole && (end ? ends : joined) && hasLetter(chunk, from, i)) {
                add(terms, chunk.substring(from, i));
            }
            whole = joined;
            from = i + 1;
        }
    }

    private static boolean hasLetter(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if ((WordChars.kind(text.charAt(i)) & (WordChars.LOWER | WordChars.UPPER)) != 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSeparator(char c) {
        return WordChars.kind(c) == 0;
    }

    /** The lines that have all the terms; null if there are none, so that any line may contain the text. */
    public @Nullable BitSet in(TextIndex index) {
        BitSet all = null;
        for (String term : terms) {
            BitSet lines = lines(index.find(term), index.end());
            if (all == null) {
                all = lines;
            } else {
                all.and(lines);
            }
            if (all.isEmpty()) {
                return all;
            }
        }
        return all;
    }

    private static BitSet lines(TextIndex.@Nullable TermPostings term, int end) {
        BitSet lines = new BitSet();
        PostingsIterator postings = term == null ? null : term.iterator(end);
        for (; postings != null && postings.ordinal() != PostingsIterator.DONE; postings.next()) {
            lines.set(postings.ordinal());
        }
        return lines;
    }
}
