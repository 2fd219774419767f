package dev.xmem.core.text.analysis;

/**
 * Splits a chunk into tokens: a path into segments, an identifier at its joiners and camel-case humps, a contraction at
 * its apostrophe. For one thread.
 */
final class CompoundSplitter {
    private final TokenConsumer consumer;
    private final TokenBuffer tokens;
    private final StemCache stems;
    private final char[] buffer = new char[Analyzer.LONGEST_TERM];
    private char[] text = {};
    private int start;
    /** The kinds of all characters of the chunk. */
    private int kinds;

    private int words;
    private int room;

    CompoundSplitter(TokenConsumer consumer, TokenBuffer tokens, Lexicon lexicon) {
        this.consumer = consumer;
        this.tokens = tokens;
        this.stems = new StemCache(lexicon);
    }

    /**
     * Appends the tokens of a chunk to the buffer.
     *
     * @param all the kinds of its characters
     * @param most the number of words after which splitting stops
     */
    void split(char[] in, int from, int to, int all, int most) {
        text = in;
        start = from;
        room = most;
        words = 0;
        kinds = all;
        boolean slash = false;
        for (int i = (kinds & WordChars.JOINER) == 0 ? to : from; i < to; i++) {
            slash |= WordChars.isSlash(in[i]);
        }
        if (slash) {
            path(from, to);
        } else if (isPlusPlus(from, to)) {
            humps(from, to - 2, true);
            whole(from, to, 0);
        } else if ((kinds & WordChars.JOINER) != 0) {
            identifier(from, to);
        } else {
            humps(from, to, false);
        }
    }

    /** Whether the chunk may have characters that are not in lower case. */
    private boolean hasCase() {
        return (kinds & (WordChars.UPPER | WordChars.FOREIGN)) != 0;
    }

    /** Whether the chunk is a name such as {@code c++}: elsewhere a joiner is never last. */
    private boolean isPlusPlus(int from, int to) {
        return to - from > 2 && text[to - 1] == '+';
    }

    private void path(int from, int to) {
        int begin = from;
        for (int i = from; i <= to && words < room; i++) {
            if (i == to || WordChars.isSlash(text[i])) {
                identifier(begin, i);
                begin = i + 1;
            }
        }
        whole(from, to, 0);
    }

    private void identifier(int from, int to) {
        int first = words;
        if (isNumber(from, to)) {
            tokens.number(from - start, to - start);
            words++;
            whole(from, to, first);
            return;
        }
        int pieces = 0;
        int begin = from;
        for (int i = from; i <= to && words < room; i++) {
            if (i < to && WordChars.kind(text[i]) != WordChars.JOINER) {
                continue;
            }
            if (i < to && WordChars.isApostrophe(text[i])) {
                i = contraction(begin, i, to);
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
        int kinds = 0;
        for (int i = from; i < to; i++) {
            kinds |= WordChars.kind(text[i]);
        }
        return (kinds & ~(WordChars.DIGIT | WordChars.JOINER)) == 0;
    }

    /** Reads a contraction: {@code can't} is a negation, {@code it's} is {@code it}. Returns its end. */
    private int contraction(int begin, int apostrophe, int to) {
        int end = apostrophe + 1;
        while (end < to && WordChars.kind(text[end]) != WordChars.JOINER) {
            end++;
        }
        boolean not = end == apostrophe + 2
                && WordChars.lower(text[apostrophe + 1]) == 't'
                && WordChars.lower(text[apostrophe - 1]) == 'n';
        if (not) {
            word(stems.not(), begin, end, TokenType.WORD);
        } else {
            humps(begin, apostrophe, false);
        }
        return end;
    }

    private void humps(int from, int to, boolean part) {
        int first = words;
        int begin = from;
        for (int i = hasCase() ? from + 1 : to; i < to && words < room; i++) {
            if (isHump(i, to)) {
                word(begin, i, TokenType.PART);
                begin = i;
            }
        }
        if (begin == from) {
            word(from, to, part ? TokenType.PART : TokenType.WORD);
        } else {
            word(begin, to, TokenType.PART);
            whole(from, to, first);
        }
    }

    private boolean isHump(int i, int to) {
        boolean last = i + 1 < to && WordChars.isLower(text[i + 1]) && WordChars.isUpper(text[i - 1]);
        return WordChars.isUpper(text[i]) && (last || WordChars.isLower(text[i - 1]));
    }

    private void word(int from, int to, TokenType kind) {
        StemCache.Stem word = stems.find(buffer, lower(from, to));
        word(word, from, to, kind);
        if (!word.stop) {
            withoutDigits(from, to);
        }
    }

    private void word(StemCache.Stem word, int from, int to, TokenType kind) {
        int term = word.hasTerm() ? number(word) : TokenBuffer.NONE;
        tokens.word(word, term, kind, isPlain(word), from - start, to - start);
        words++;
    }

    private int number(StemCache.Stem word) {
        if (word.number == TokenBuffer.NONE) {
            word.number = consumer.known(word.term, word.term.length, word.termHash);
        }
        return word.number;
    }

    private boolean isPlain(StemCache.Stem word) {
        Lexicon.LexiconEntry entry = word.filler ? null : word.inPhrase;
        return entry == null || !entry.negation && !entry.start.isOfUse(consumer.isQuery());
    }

    /** Adds the name without its version: {@code sqlite} for {@code sqlite3}. */
    private void withoutDigits(int from, int to) {
        int end = to;
        while (end > from && WordChars.isDigit(text[end - 1])) {
            end--;
        }
        if (end < to && end - from >= 4) {
            StemCache.Stem word = stems.find(buffer, lower(from, end));
            tokens.more(number(word), TokenType.PART, words - 1, words - 1);
        }
    }

    private void whole(int from, int to, int first) {
        if (to - from <= Analyzer.LONGEST_TERM) {
            int size = lower(from, to);
            int term = consumer.known(buffer, size, WordChars.hash(buffer, size));
            tokens.more(term, TokenType.WHOLE, first, Math.max(first, words - 1));
        }
    }

    private int lower(int from, int to) {
        int size = Math.min(to - from, Analyzer.LONGEST_TERM);
        if (!hasCase()) {
            System.arraycopy(text, from, buffer, 0, size);
            return size;
        }
        for (int i = 0; i < size; i++) {
            buffer[i] = WordChars.lower(text[from + i]);
        }
        return size;
    }
}
