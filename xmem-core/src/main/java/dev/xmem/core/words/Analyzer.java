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

    private static final int KEPT_CHARS = 1 << 16;

    private final SeenWords words = new SeenWords();
    private final Phrases phrases = new Phrases();
    private final Token token = new Token();
    private final char[] buffer = new char[LONGEST_TERM + 2];
    private char[] text = new char[1024];
    private int length;
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
        new Analyzer().analyze(text, token -> terms.add(new Term(token.toString(), token.kind)));
        return terms;
    }

    void analyze(String raw, TermSink target) {
        begin(raw, target);
        int at = 0;
        while (at < length && position < MOST_WORDS) {
            int kind = Chars.kind(text[at]);
            if ((kind & Chars.WORD) != 0) {
                at = chunk(at);
            } else if (kind == Chars.UNSPACED) {
                at = pairs(at);
            } else {
                at++;
            }
        }
        end();
    }

    private void begin(String raw, TermSink target) {
        copy(raw);
        if (Chars.isForeign(text, length)) {
            copy(Folding.fold(raw));
        }
        sink = target;
        position = 0;
        negated = false;
        phrases.reset();
    }

    private void copy(String raw) {
        length = raw.length();
        if (text.length < length) {
            text = new char[length];
        }
        raw.getChars(0, length, text, 0);
    }

    private void end() {
        sink = null;
        if (text.length > KEPT_CHARS) {
            text = new char[1024];
        }
    }

    /** The text from one position to another, both already analysed, as it was written but for folding. */
    String written(int from, int to) {
        return new String(text, starts[from], ends[to] - starts[from]);
    }

    // Scripts without spaces

    private int pairs(int from) {
        int to = from;
        while (isUnspaced(to) && position < MOST_WORDS) {
            to++;
            if (isUnspaced(to)) {
                pair(to - 1, to + 1);
            } else if (to - from == 1) {
                pair(from, to);
            }
        }
        return to;
    }

    private boolean isUnspaced(int index) {
        return index < length && Chars.kind(text[index]) == Chars.UNSPACED;
    }

    private void pair(int from, int to) {
        place(from, to);
        int size = lower(from, to);
        term(buffer, size, Chars.hash(buffer, size), TermKind.WORD, position);
        phrases.reset();
        negated = false;
        position++;
    }

    // Words and identifiers

    private int chunk(int from) {
        int kinds = 0;
        boolean path = false;
        int sum = 0;
        int to = from;
        for (; to < length; to++) {
            char c = text[to];
            int kind = Chars.kind(c);
            if ((kind & Chars.WORD) == 0 && (kind != Chars.JOINER || !isWord(to + 1))) {
                break;
            }
            kinds |= kind;
            path |= kind == Chars.JOINER && Chars.isSlash(c);
            sum = sum * 31 + c;
        }
        if (path) {
            path(from, to);
        } else if ((kinds & Chars.JOINER) != 0) {
            identifier(from, to);
        } else if (kinds == Chars.LOWER) {
            return lowerCase(from, to, Chars.hash(sum));
        } else {
            return simple(from, to);
        }
        return to;
    }

    private boolean isWord(int index) {
        return index < length && (Chars.kind(text[index]) & Chars.WORD) != 0;
    }

    /** The commonest case: nothing to split. */
    private int lowerCase(int from, int to, int hash) {
        if (to - from > LONGEST_TERM || to < length && text[to] == '+') {
            return simple(from, to);
        }
        word(words.find(text, from, to - from, hash), from, to, TermKind.WORD);
        return to;
    }

    private void path(int from, int to) {
        int first = position;
        int begin = from;
        for (int i = from; i <= to && position < MOST_WORDS; i++) {
            if (i == to || Chars.isSlash(text[i])) {
                identifier(begin, i);
                begin = i + 1;
            }
        }
        whole(from, to, first);
    }

    private void identifier(int from, int to) {
        int first = position;
        if (isNumber(from, to)) {
            place(from, to);
            position++;
            whole(from, to, first);
            return;
        }
        int pieces = 0;
        int begin = from;
        for (int i = from; i <= to && position < MOST_WORDS; i++) {
            if (i < to && Chars.kind(text[i]) != Chars.JOINER) {
                continue;
            }
            if (i < to && Chars.isApostrophe(text[i])) {
                i = shortened(begin, i, to);
            } else {
                pieces++;
                humps(begin, i, pieces > 1 || i < to);
            }
            begin = i + 1;
        }
        if (pieces > 1) {
            whole(from, to, first);
        }
    }

    private boolean isNumber(int from, int to) {
        for (int i = from; i < to; i++) {
            if ((Chars.kind(text[i]) & (Chars.DIGIT | Chars.JOINER)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** {@code can't} is a negation, of {@code it's} only the first half counts. Returns where the word ends. */
    private int shortened(int begin, int apostrophe, int to) {
        int end = apostrophe + 1;
        while (end < to && Chars.kind(text[end]) != Chars.JOINER) {
            end++;
        }
        boolean not = end == apostrophe + 2
                && Chars.lower(text[apostrophe + 1]) == 't'
                && Chars.lower(text[apostrophe - 1]) == 'n';
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
        boolean plusPlus = to + 1 < length && text[to] == '+' && text[to + 1] == '+';
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
        if (!Chars.isUpper(text[i])) {
            return false;
        }
        return Chars.isLower(text[i - 1]) || (i + 1 < to && Chars.isLower(text[i + 1]) && Chars.isUpper(text[i - 1]));
    }

    // Single words

    private void word(int from, int to, TermKind kind) {
        word(words.find(buffer, lower(from, to)), from, to, kind);
    }

    private void word(SeenWords.Seen word, int from, int to, TermKind kind) {
        place(from, to);
        Lexicon.Entry known = word.known;
        if (known != null && known.negation) {
            negation();
        } else if (known != null && known.stop) {
            stop(known);
        } else {
            content(word, kind);
            withoutDigits(from, to);
        }
        position++;
    }

    private void negation() {
        phrases.word(Lexicon.standard().not(), position, sink());
        negated = true;
    }

    private void stop(Lexicon.Entry word) {
        if (!word.filler) {
            phrases.word(word, position, sink());
        }
    }

    private void content(SeenWords.Seen word, TermKind kind) {
        int size = word.term.length;
        if (size > 1 || word.term[0] >= 0x80) {
            term(word.term, size, word.termHash, kind, position);
            negated(word.term);
        }
        phrases.word(word.stem, position, sink());
    }

    private void negated(char[] term) {
        if (negated) {
            buffer[0] = '!';
            System.arraycopy(term, 0, buffer, 1, term.length);
            term(buffer, term.length + 1, Chars.hash(buffer, term.length + 1), TermKind.NEGATED, position);
            negated = false;
        }
    }

    /** {@code sqlite3} is {@code sqlite} too. */
    private void withoutDigits(int from, int to) {
        if (!Chars.isDigit(text[to - 1])) {
            return;
        }
        int end = to;
        while (end > from && Chars.isDigit(text[end - 1])) {
            end--;
        }
        if (end - from >= 4) {
            SeenWords.Seen word = words.find(buffer, lower(from, end));
            term(word.term, word.term.length, word.termHash, TermKind.PART, position);
        }
    }

    private void whole(int from, int to, int first) {
        if (to - from <= LONGEST_TERM) {
            int size = lower(from, to);
            token.is(buffer, size, Chars.hash(buffer, size));
            sink().term(token.at(TermKind.WHOLE, first, Math.max(first, position - 1)));
        }
    }

    private void term(char[] chars, int size, int hash, TermKind kind, int at) {
        sink().term(token.is(chars, size, hash).at(kind, at, at));
    }

    private int lower(int from, int to) {
        int size = Math.min(to - from, LONGEST_TERM);
        for (int i = 0; i < size; i++) {
            buffer[i] = Chars.lower(text[from + i]);
        }
        return size;
    }

    /** Where in the text the word at the current position stands. */
    private void place(int from, int to) {
        if (position == starts.length) {
            starts = Arrays.copyOf(starts, position * 2);
            ends = Arrays.copyOf(ends, position * 2);
        }
        starts[position] = from;
        ends[position] = to;
    }

    private TermSink sink() {
        return Objects.requireNonNull(sink);
    }
}
