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
 * The words that stand in a text as a whole wherever the text stands: those with something that separates words on both
 * sides, and the pieces of an identifier or a path with a joiner on both sides, within the text. What has the text has all
 * of them. Only for texts of ASCII; others have none. Immutable.
 */
public final class RequiredTerms {
    /** An entry with fewer bytes has no text of more words than are analysed. */
    public static final int WHOLLY_ANALYSED_BYTES = Analyzer.MOST_WORDS;

    private final List<String> terms;

    private RequiredTerms(Set<String> terms) {
        this.terms = List.copyOf(terms);
    }

    /** Those of a text. */
    public static RequiredTerms of(String text) {
        Set<String> terms = new LinkedHashSet<>();
        if (text.chars().allMatch(c -> c < 0x80)) {
            int from = nextSeparator(text, 0);
            int to = lastSeparator(text);
            if (from < to) {
                add(terms, text.substring(from, to));
            }
            pieces(terms, text.substring(0, from), false, from < text.length());
            pieces(terms, text.substring(to + 1), to >= 0, false);
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
     * Adds the whole pieces of a part of an identifier. What touches an apostrophe may be left out where it stands, and of
     * a number there are no pieces.
     */
    private static void pieces(Set<String> terms, String chunk, boolean begins, boolean ends) {
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

    private static int nextSeparator(String text, int from) {
        int at = from;
        while (at < text.length() && WordChars.kind(text.charAt(at)) != 0) {
            at++;
        }
        return at;
    }

    private static int lastSeparator(String text) {
        int at = text.length() - 1;
        while (at >= 0 && WordChars.kind(text.charAt(at)) != 0) {
            at--;
        }
        return at;
    }

    /** The lines that have all of them; null if there are none, so that nothing is known. */
    public @Nullable BitSet in(TextIndex words) {
        BitSet all = null;
        for (String term : terms) {
            BitSet lines = lines(words.find(term), words.end());
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

    private static BitSet lines(TextIndex.@Nullable TermLines term, int end) {
        BitSet lines = new BitSet();
        PostingsIterator cursor = term == null ? null : term.cursor(end);
        for (; cursor != null && cursor.ordinal() != PostingsIterator.DONE; cursor.next()) {
            lines.set(cursor.ordinal());
        }
        return lines;
    }
}
