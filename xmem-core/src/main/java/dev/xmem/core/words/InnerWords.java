package dev.xmem.core.words;

import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words that stand in a text as a whole wherever the text stands: those with something that separates words on both
 * sides, within the text. What has the text has all of them. Only for texts of ASCII; others have none. Immutable.
 */
public final class InnerWords {
    /** An entry with fewer bytes has no text of more words than are analysed. */
    public static final int WHOLLY_ANALYSED_BYTES = Analyzer.MOST_WORDS;

    private final List<String> terms;

    private InnerWords(Set<String> terms) {
        this.terms = List.copyOf(terms);
    }

    /** Those of a text. */
    public static InnerWords of(String text) {
        Set<String> terms = new LinkedHashSet<>();
        int from = nextSeparator(text, 0);
        int to = lastSeparator(text);
        if (from < to && text.chars().allMatch(c -> c < 0x80)) {
            for (Analyzer.Term term : Analyzer.terms(text.substring(from, to))) {
                if (term.kind() != TermKind.NEGATED && term.kind() != TermKind.CAUSE) {
                    terms.add(term.text());
                }
            }
        }
        return new InnerWords(terms);
    }

    private static int nextSeparator(String text, int from) {
        int at = from;
        while (at < text.length() && Chars.kind(text.charAt(at)) != 0) {
            at++;
        }
        return at;
    }

    private static int lastSeparator(String text) {
        int at = text.length() - 1;
        while (at >= 0 && Chars.kind(text.charAt(at)) != 0) {
            at--;
        }
        return at;
    }

    /** The lines that have all of them; null if there are none, so that nothing is known. */
    public @Nullable BitSet in(WordLines words) {
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

    private static BitSet lines(WordLines.@Nullable TermLines term, int end) {
        BitSet lines = new BitSet();
        PostingCursor cursor = term == null ? null : term.cursor(end);
        for (; cursor != null && cursor.ordinal() != PostingCursor.DONE; cursor.next()) {
            lines.set(cursor.ordinal());
        }
        return lines;
    }
}
