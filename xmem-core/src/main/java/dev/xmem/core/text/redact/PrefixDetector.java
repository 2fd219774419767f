package dev.xmem.core.text.redact;

import java.util.List;

/** Finds a literal followed by characters of a set: the keys of vendors. Immutable. */
final class PrefixDetector implements SecretDetector {
    private static final int UNBOUNDED = Integer.MAX_VALUE;
    private static final CharSet DIGITS = CharSet.of("0-9");

    /** The distance within which a required digit is looked for, which bounds what is read in vain. */
    private static final int MAX_TO_DIGIT = 128;

    final String rule;
    final String literal;
    private final boolean kept;
    private final boolean glued;
    private final boolean digit;
    private final CharSet chars;
    private final int min;
    private final int max;
    private final CharSet charsBefore;
    private final int minBefore;
    private final int maxBefore;

    /** Creates a detector that redacts the literal, too, unless it is kept. */
    PrefixDetector(RedactionRule rule, String literal, boolean kept) {
        List<String> length = rule.words("length");
        List<String> before = rule.has("before") ? rule.words("before") : List.of("", "0", "0");
        this.rule = rule.name();
        this.literal = literal;
        this.kept = kept;
        this.glued = rule.has("glued") || kept;
        this.digit = rule.has("digit");
        this.chars = CharSet.of(rule.words("chars").get(0));
        this.min = Integer.parseInt(length.get(0));
        this.max = length.size() > 1 ? Integer.parseInt(length.get(1)) : UNBOUNDED;
        this.charsBefore = CharSet.of(before.get(0));
        this.minBefore = Integer.parseInt(before.get(1));
        this.maxBefore = Integer.parseInt(before.get(2));
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        int to = end(pass.text, start);
        if (to < 0 || !glued && !pass.text.wordStartsAt(start)) {
            return;
        }
        int from = charsBefore.startOfRun(pass.text, start, maxBefore);
        if (start - from >= minBefore) {
            pass.redact(kept ? end : from, to, rule);
        }
    }

    /** The end of the secret whose literal starts at an index; -1 if there is none. */
    int end(PaddedText text, int start) {
        if (!text.has(start, literal)) {
            return -1;
        }
        int from = start + literal.length();
        if (chars.endOfRun(text, from, min) - from < min || digit && !hasDigit(text, from)) {
            return -1;
        }
        int to = chars.endOfRun(text, from, max);
        while (to > from && "./,".indexOf(text.at(to - 1)) >= 0) {
            to--;
        }
        boolean tooLong = max != UNBOUNDED && PaddedText.isAlphanumeric(text.at(to));
        return to - from >= min && !tooLong ? to : -1;
    }

    private boolean hasDigit(PaddedText text, int from) {
        return DIGITS.indexIn(text, from, chars.endOfRun(text, from, MAX_TO_DIGIT)) >= 0;
    }
}
