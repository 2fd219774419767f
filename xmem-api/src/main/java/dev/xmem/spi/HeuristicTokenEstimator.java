package dev.xmem.spi;

/**
 * Estimates tokens from character classes in one pass, without a vocabulary. Stateless, thread-safe, allocates nothing;
 * time is linear in the text, any sequence of chars is accepted, and a result past {@code int} is its largest value.
 */
final class HeuristicTokenEstimator implements TokenEstimator {
    static final HeuristicTokenEstimator INSTANCE = new HeuristicTokenEstimator();

    // What a class costs, in thousandths of a token.
    private static final int WORD = 920;
    private static final int WORD_4 = 90;
    private static final int WORD_6 = 200;
    private static final int WORD_MORE = 120;
    private static final int ACCENT = 1000;
    private static final int HUMP = 1000;
    private static final int CAPITAL = 150;
    private static final int DIGITS = 1000;
    private static final int BLANKS = 1000;
    private static final int BLANK_BEFORE_DIGIT = 700;
    private static final int NEWLINE = 1000;
    private static final int NEWLINE_AFTER_MARK = 200;
    private static final int MARK_BEFORE_WORD = 250;
    private static final int MARK_ALONE = 750;
    private static final int MARK_MORE = 150;
    private static final int ESCAPE = 1200;
    private static final int REPEAT = 30;
    private static final int SCRIPT = 550;
    private static final int SYMBOL = 1000;
    private static final int WIDE = 900;

    private static final int START = 0;
    private static final int LOWER_LETTER = 1;
    private static final int UPPER_LETTER = 2;
    private static final int ACCENTED_LETTER = 3;
    private static final int DIGIT = 4;
    private static final int BLANK = 5;
    private static final int LINE_END = 6;
    private static final int PUNCTUATION = 7;
    private static final int ESCAPED_LETTER = 8;
    private static final int OTHER_SCRIPT = 9;
    private static final int OTHER_SYMBOL = 10;
    private static final int WIDE_CHAR = 11;

    private HeuristicTokenEstimator() {}

    @Override
    public String id() {
        return "class-1";
    }

    @Override
    public int estimate(CharSequence text) {
        long milliTokens = 0;
        int before = START;
        int run = 0;
        char last = 0;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            int kind = kind(c);
            if (isLetter(kind) && last == '\\') {
                kind = ESCAPED_LETTER;
            }
            if (kind != before) {
                milliTokens += boundary(before, run, kind);
            }
            run = nextRun(before, run, kind);
            milliTokens += cost(kind, before, run, c == last);
            before = kind;
            last = c;
        }
        return length == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, Math.max(1, (milliTokens + 999) / 1000));
    }

    /** What becomes known of a run only by what follows it. */
    private static int boundary(int before, int run, int kind) {
        if (before == PUNCTUATION && run == 1 && !isLetter(kind) && kind != ESCAPED_LETTER) {
            return MARK_ALONE;
        }
        return before == BLANK && run == 1 && kind == DIGIT ? BLANK_BEFORE_DIGIT : 0;
    }

    /** The place in its run of a char. A mark after a blank never joins the word behind it: it counts as second. */
    private static int nextRun(int before, int run, int kind) {
        if (kind == before || isLetter(kind) && isLetter(before)) {
            return run + 1;
        }
        return kind == PUNCTUATION && before == BLANK ? 2 : 1;
    }

    private static int cost(int kind, int before, int run, boolean same) {
        switch (kind) {
            case LOWER_LETTER:
                return word(run);
            case UPPER_LETTER:
                return word(run) + (before == LOWER_LETTER ? HUMP : before == UPPER_LETTER ? CAPITAL : 0);
            case ACCENTED_LETTER:
                return word(run) + ACCENT;
            case DIGIT:
                return run % 3 == 1 ? DIGITS : 0;
            case BLANK:
                return run == 1 ? 0 : run == 2 ? BLANKS : REPEAT;
            case LINE_END:
                return run > 1 ? REPEAT : before == PUNCTUATION ? NEWLINE_AFTER_MARK : NEWLINE;
            case PUNCTUATION:
                return mark(before, run, same);
            case ESCAPED_LETTER:
                return ESCAPE;
            case OTHER_SCRIPT:
                return SCRIPT;
            case OTHER_SYMBOL:
                return SYMBOL;
            default:
                return WIDE;
        }
    }

    private static int word(int run) {
        switch (run) {
            case 1:
                return WORD;
            case 4:
                return WORD_4;
            case 6:
                return WORD_6;
            default:
                return run > 12 ? WORD_MORE : 0;
        }
    }

    private static int mark(int before, int run, boolean same) {
        if (run == 1) {
            return MARK_BEFORE_WORD;
        }
        if (run == 2) {
            return before == PUNCTUATION ? MARK_ALONE : MARK_BEFORE_WORD + MARK_ALONE;
        }
        return same ? REPEAT : MARK_MORE;
    }

    private static boolean isLetter(int kind) {
        return kind >= LOWER_LETTER && kind <= ACCENTED_LETTER;
    }

    private static int kind(char c) {
        if (c < 0x80) {
            return c >= 'a' && c <= 'z' ? LOWER_LETTER : ascii(c);
        }
        if (c < 0x2000) {
            return c >= 0xC0 && c < 0x250 ? ACCENTED_LETTER : OTHER_SCRIPT;
        }
        return c < 0x2E80 ? OTHER_SYMBOL : WIDE_CHAR;
    }

    private static int ascii(char c) {
        if (c >= 'A' && c <= 'Z') {
            return UPPER_LETTER;
        }
        if (c >= '0' && c <= '9') {
            return DIGIT;
        }
        if (c == ' ' || c == '\t') {
            return BLANK;
        }
        return c == '\n' || c == '\r' ? LINE_END : PUNCTUATION;
    }
}
