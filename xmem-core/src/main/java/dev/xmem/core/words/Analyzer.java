package dev.xmem.core.words;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts text into terms, the same way for entries and for requests.
 *
 * <p>Text is folded ({@link Folding}) and cut at everything that is not a letter or digit. Letters and digits joined by
 * one of {@code _ - . / \ @ +} are an identifier: it is a term as a whole, unstemmed, and so is each piece of a path;
 * their parts, cut at the joiners and at {@code camelCase} humps, are terms as well, and a name that ends in digits also
 * without them ({@code python3}, {@code python}). Codes such as {@code E0308} stay in one piece. Words are stemmed
 * ({@link Stemmer}), stop words dropped; a word after a negation is a term twice, plain and as {@code !word}. Scripts
 * without spaces become pairs of characters. What the words mean together is found by {@link Phrases}.
 *
 * <p>A term has at most {@value #LONGEST_TERM} characters (longer words are cut, longer identifiers are only split), a
 * text at most {@value #MOST_WORDS} words; what follows is not analysed.
 *
 * <p>The result depends on the text alone. An object has scratch space and serves one thread at a time.
 */
final class Analyzer {
    static final int LONGEST_TERM = 64;
    static final int MOST_WORDS = 8192;

    private final Lexicon lexicon = Lexicon.standard();
    private final Phrases phrases = new Phrases();
    private final char[] buffer = new char[LONGEST_TERM + 2];
    private String text = "";
    private @Nullable TermSink sink;
    private int position;
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private boolean negated;

    /** A term and what it stands for. */
    record Term(String text, TermKind kind) {}

    /** The terms of a text, in order. */
    static List<Term> terms(String text) {
        List<Term> terms = new ArrayList<>();
        new Analyzer()
                .analyze(text, (chars, length, kind, from, to) -> terms.add(new Term(new String(chars, 0, length), kind)));
        return terms;
    }

    void analyze(String raw, TermSink target) {
        text = Folding.fold(raw);
        sink = target;
        position = 0;
        negated = false;
        phrases.reset();
        int at = 0;
        while (at < text.length() && position < MOST_WORDS) {
            char c = text.charAt(at);
            if (!Chars.isWord(c)) {
                at++;
            } else if (Chars.isUnspaced(c)) {
                at = pairs(at);
            } else {
                at = chunk(at);
            }
        }
        sink = null;
        text = "";
    }

    // Scripts without spaces

    private int pairs(int from) {
        int to = from;
        while (to < text.length() && Chars.isUnspaced(text.charAt(to)) && position < MOST_WORDS) {
            to++;
            if (to < text.length() && Chars.isUnspaced(text.charAt(to))) {
                plain(to - 1, to + 1, TermKind.WORD);
            } else if (to - from == 1) {
                plain(from, to, TermKind.WORD);
            }
        }
        return to;
    }

    // Words and identifiers

    private int chunk(int from) {
        boolean joined = false;
        boolean path = false;
        int to = from + 1;
        for (; to < text.length(); to++) {
            char c = text.charAt(to);
            if (Chars.isWord(c) && !Chars.isUnspaced(c)) {
                continue;
            }
            if (!Chars.isJoiner(c) || !wordAt(to + 1)) {
                break;
            }
            joined = true;
            path |= Chars.isSlash(c);
        }
        if (path) {
            path(from, to);
        } else if (joined) {
            identifier(from, to);
        } else {
            to = simple(from, to);
        }
        return to;
    }

    private boolean wordAt(int index) {
        return index < text.length() && Chars.isWord(text.charAt(index)) && !Chars.isUnspaced(text.charAt(index));
    }

    private void path(int from, int to) {
        int first = position;
        int begin = from;
        for (int i = from; i <= to && position < MOST_WORDS; i++) {
            if (i == to || Chars.isSlash(text.charAt(i))) {
                identifier(begin, i);
                begin = i + 1;
            }
        }
        whole(from, to, first);
    }

    private void identifier(int from, int to) {
        int first = position;
        int begin = from;
        boolean numbers = digitsOnly(from, to);
        int pieces = 0;
        for (int i = from; i <= to && position < MOST_WORDS; i++) {
            if (i < to && (!Chars.isJoiner(text.charAt(i)))) {
                continue;
            }
            pieces++;
            if (i < to && Chars.isApostrophe(text.charAt(i))) {
                i = shortened(begin, i, to);
                pieces = Math.max(0, pieces - 1);
            } else if (!numbers) {
                humps(begin, i, pieces > 1 || i < to);
            }
            begin = i + 1;
        }
        if (numbers) {
            place(from, to);
            position++;
        }
        if (pieces > 1 || numbers) {
            whole(from, to, first);
        }
    }

    /** {@code can't} is a negation, of {@code it's} only the first half counts. Returns where the word ends. */
    private int shortened(int begin, int apostrophe, int to) {
        int end = apostrophe + 1;
        while (end < to && !Chars.isJoiner(text.charAt(end))) {
            end++;
        }
        boolean not = end == apostrophe + 2 && Chars.lower(text.charAt(apostrophe + 1)) == 't'
                && Chars.lower(text.charAt(apostrophe - 1)) == 'n';
        if (not) {
            place(begin, end);
            negation();
            position++;
        } else {
            humps(begin, apostrophe, false);
        }
        return end;
    }

    private int simple(int from, int to) {
        boolean plusPlus = to + 1 < text.length() && text.charAt(to) == '+' && text.charAt(to + 1) == '+';
        if (plusPlus && to - from <= 3) {
            int first = position;
            humps(from, to, true);
            whole(from, to + 2, first);
            return to + 2;
        }
        humps(from, to, false);
        return to;
    }

    private void humps(int from, int to, boolean part) {
        int first = position;
        int begin = from;
        for (int i = from + 1; i < to && position < MOST_WORDS; i++) {
            if (isHump(i, to)) {
                word(begin, i, TermKind.PART);
                begin = i;
            }
        }
        if (begin == from) {
            word(from, to, part ? TermKind.PART : TermKind.WORD);
        } else {
            word(begin, to, TermKind.PART);
            whole(from, to, first);
        }
    }

    private boolean isHump(int i, int to) {
        char c = text.charAt(i);
        if (!Chars.isUpper(c)) {
            return false;
        }
        return Chars.isLower(text.charAt(i - 1))
                || (i + 1 < to && Chars.isLower(text.charAt(i + 1)) && Chars.isUpper(text.charAt(i - 1)));
    }

    private boolean digitsOnly(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (!Chars.isDigit(c) && !Chars.isJoiner(c)) {
                return false;
            }
        }
        return true;
    }

    // Single words

    private void word(int from, int to, TermKind kind) {
        place(from, to);
        int length = lower(from, to);
        Lexicon.Entry entry = lexicon.find(buffer, length);
        if (entry != null && entry.negation) {
            negation();
        } else if (entry != null && entry.stop) {
            stop(entry);
        } else if (entry != null && entry.form != null) {
            String form = entry.form;
            form.getChars(0, form.length(), buffer, 0);
            content(form.length(), kind);
        } else {
            content(Stemmer.stem(buffer, length), kind);
            withoutDigits(from, to);
        }
        position++;
    }

    private void content(int length, TermKind kind) {
        if (length == 1 && buffer[0] < 0x80) {
            phrases.word(lexicon.find(buffer, 1), position, sink());
            return;
        }
        sink().term(buffer, length, kind, position, position);
        Lexicon.Entry entry = lexicon.find(buffer, length);
        if (negated) {
            System.arraycopy(buffer, 0, buffer, 1, length);
            buffer[0] = '!';
            sink().term(buffer, length + 1, TermKind.NEGATED, position, position);
        }
        negated = false;
        phrases.word(entry, position, sink());
    }

    private void plain(int from, int to, TermKind kind) {
        place(from, to);
        sink().term(buffer, lower(from, to), kind, position, position);
        phrases.reset();
        negated = false;
        position++;
    }

    private void negation() {
        buffer[0] = 'n';
        buffer[1] = 'o';
        buffer[2] = 't';
        phrases.word(lexicon.find(buffer, 3), position, sink());
        negated = true;
    }

    private void stop(Lexicon.Entry entry) {
        if (!entry.filler) {
            phrases.word(entry, position, sink());
        }
    }

    /** Where in the folded text the word at the current position stands. */
    private void place(int from, int to) {
        if (position == starts.length) {
            starts = Arrays.copyOf(starts, position * 2);
            ends = Arrays.copyOf(ends, position * 2);
        }
        starts[position] = from;
        ends[position] = to;
    }

    /** The text from one position to another, both already analysed, as it was written but for folding. */
    String written(int from, int to) {
        return text.substring(starts[from], ends[to]);
    }

    /** {@code sqlite3} is {@code sqlite} too. */
    private void withoutDigits(int from, int to) {
        int end = to;
        while (end > from && Chars.isDigit(text.charAt(end - 1))) {
            end--;
        }
        if (end == to || end - from < 4 || !Chars.isLower(Chars.lower(text.charAt(end - 1)))) {
            return;
        }
        int length = Stemmer.stem(buffer, lower(from, end));
        sink().term(buffer, length, TermKind.PART, position, position);
    }

    private void whole(int from, int to, int first) {
        if (to - from <= LONGEST_TERM) {
            sink().term(buffer, lower(from, to), TermKind.WHOLE, first, Math.max(first, position - 1));
        }
    }

    private int lower(int from, int to) {
        int length = Math.min(to - from, LONGEST_TERM);
        for (int i = 0; i < length; i++) {
            buffer[i] = Chars.lower(text.charAt(from + i));
        }
        return length;
    }

    private TermSink sink() {
        return Objects.requireNonNull(sink);
    }
}
