package dev.xmem.core.text.redact;

import java.util.List;

/** Finds what begins with a literal and goes on with certain characters: the keys of vendors. */
final class PrefixDetector implements SecretDetector {
    private static final int ANY_LENGTH = Integer.MAX_VALUE;

    /** A digit further away is not looked for: what is read in vain is bounded. */
    private static final int DIGIT_WITHIN = 128;

    private final String rule;
    private final String literal;
    private final boolean kept;
    private final boolean glued;
    private final boolean digit;
    private final CharSet chars;
    private final int least;
    private final int most;
    private final CharSet charsBefore;
    private final int leastBefore;
    private final int mostBefore;

    PrefixDetector(RedactionRule rule, String literal, boolean kept) {
        List<String> length = rule.words("length");
        List<String> before = rule.words("before");
        this.rule = rule.name();
        this.literal = literal;
        this.kept = kept;
        this.glued = rule.has("glued") || kept;
        this.digit = rule.has("digit");
        this.chars = CharSet.of(rule.words("chars").get(0));
        this.least = Integer.parseInt(length.get(0));
        this.most = length.size() > 1 ? Integer.parseInt(length.get(1)) : ANY_LENGTH;
        this.charsBefore = CharSet.of(before.isEmpty() ? "" : before.get(0));
        this.leastBefore = before.isEmpty() ? 0 : Integer.parseInt(before.get(1));
        this.mostBefore = before.isEmpty() ? 0 : Integer.parseInt(before.get(2));
    }

    String rule() {
        return rule;
    }

    int literalLength() {
        return literal.length();
    }

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        int to = end(text, start);
        if (to < 0 || !glued && !text.wordStartsAt(start)) {
            return;
        }
        int from = charsBefore.startOfRun(text, start, mostBefore);
        if (start - from >= leastBefore) {
            sweep.redact(kept ? end : from, to, rule);
        }
    }

    /** Where the secret ends that begins here with the literal; -1 if there is none. */
    int end(PaddedText text, int start) {
        if (!text.has(start, literal)) {
            return -1;
        }
        int from = start + literal.length();
        if (chars.endOfRun(text, from, least) - from < least || digit && !hasDigit(text, from)) {
            return -1;
        }
        int to = chars.endOfRun(text, from, most);
        while (to > from && isPunctuation(text.at(to - 1))) {
            to--;
        }
        boolean tooLong = most != ANY_LENGTH && PaddedText.isAlphanumeric(text.at(to));
        return to - from >= least && !tooLong ? to : -1;
    }

    private static boolean isPunctuation(char c) {
        return c == '.' || c == '/' || c == ',';
    }

    private boolean hasDigit(PaddedText text, int from) {
        for (int i = from; i < from + DIGIT_WITHIN && chars.has(text.at(i)); i++) {
            if (PaddedText.isDigit(text.at(i))) {
                return true;
            }
        }
        return false;
    }
}
