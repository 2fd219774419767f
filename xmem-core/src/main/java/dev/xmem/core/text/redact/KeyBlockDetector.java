package dev.xmem.core.text.redact;

/**
 * Finds private keys in PEM, OpenSSH, PGP and PuTTY blocks, complete or truncated at either end. Their lines may be
 * separated by line ends or by escaped ones. A block without a line of base64 is only a mention of a key and stays.
 *
 * <p>From a header it reads at most to the next header, and from a footer back to what was read before: no character is
 * read by two calls.
 */
final class KeyBlockDetector {
    private static final String RULE = "private-key";
    private static final CharSet BASE64 = CharSet.of("A-Za-z0-9+/=");
    private static final CharSet BETWEEN = CharSet.of(" \t\"'+,\\>|#");
    private static final CharSet LABEL = CharSet.of("A-Za-z0-9-");
    private static final int MAX_LABEL = 64;
    private static final int MAX_HEADER = 256;
    private static final int FULL_LINE = 60;

    /** The length from which a run of base64 counts as a line of a key. */
    private static final int MIN_LINE = 16;

    private KeyBlockDetector() {}

    static void detect(RedactionPass pass, int start, int end) {
        if (pass.text.at(start) != '-') {
            truncated(pass, start);
            return;
        }
        int label = endOfLabel(pass.text, end);
        boolean header = Character.toLowerCase(pass.text.at(end - 1)) == 'n';
        if (label >= 0 && header) {
            block(pass, start, label);
        } else if (label >= 0) {
            withoutHeader(pass, start, label);
        }
    }

    /** The end of the label of a private key, hyphens included; -1 if it is another label. */
    private static int endOfLabel(PaddedText text, int from) {
        boolean secret = false;
        for (int i = from; i < from + MAX_LABEL && text.at(i) != '\n' && text.at(i) != 0; i++) {
            secret |= text.hasIgnoringCase(i, "PRIVATE KEY");
            if (text.has(i, "----")) {
                return secret ? text.at(i + 4) == '-' ? i + 5 : i + 4 : -1;
            }
        }
        return -1;
    }

    private static void block(RedactionPass pass, int start, int from) {
        PaddedText text = pass.text;
        int line = from;
        int i = from;
        boolean key = false;
        while (i < text.length() && !text.hasIgnoringCase(i, "-----begin")) {
            if (text.hasIgnoringCase(i, "-----end") || text.hasIgnoringCase(i, "---- end")) {
                int end = endOfLabel(text, i + 8);
                if (end >= 0) {
                    if (key) {
                        pass.redact(start, end, RULE);
                    }
                    return;
                }
            }
            line = BASE64.has(text.at(i)) ? line : i + 1;
            key |= i - line >= MIN_LINE;
            i++;
        }
        pass.redact(start, endOfBody(text, from), RULE);
    }

    /** Redacts from the first base64 characters of a known key format, or from the first line of a PuTTY file. */
    private static void truncated(RedactionPass pass, int start) {
        PaddedText text = pass.text;
        if (!BASE64.has(text.at(start - 1)) || text.escapeBefore(start) > 0) {
            boolean putty = text.hasIgnoringCase(start, "putty");
            pass.redact(start, endOfBody(text, putty ? endOfLine(text, start) : start), RULE);
        }
    }

    private static void withoutHeader(RedactionPass pass, int start, int to) {
        PaddedText text = pass.text;
        int i = start;
        int from = to;
        int run = 0;
        while (i > 0 && (BASE64.has(text.at(i - 1)) || isLineEnd(text, i - 1))) {
            i--;
            run = BASE64.has(text.at(i)) && text.escapeBefore(i + 1) != 1 ? run + 1 : 0;
            from = run >= MIN_LINE ? i : from;
        }
        pass.redact(from, to, RULE);
    }

    /** The end of the lines of a truncated key: base64 and headers, up to the first line that is neither. */
    private static int endOfBody(PaddedText text, int from) {
        int end = -1;
        int i = from;
        boolean full = false;
        while (i < text.length()) {
            i = afterLineEnds(text, i);
            int word = BASE64.endOfRun(text, i, Integer.MAX_VALUE);
            if (word - i >= MIN_LINE || end > 0 && isLastLine(text, i, word, full)) {
                full = word - i >= FULL_LINE;
                end = word;
                i = word;
            } else if (isHeader(text, word) && (end < 0 || text.has(i, "Private-"))) {
                i = endOfLine(text, word);
            } else {
                break;
            }
        }
        return end;
    }

    private static boolean isLastLine(PaddedText text, int from, int to, boolean afterFull) {
        boolean ends = text.at(to) == 0 || isLineEnd(text, to) || PaddedText.isQuote(text.at(to));
        boolean padded = to > from && text.at(to - 1) == '=';
        return ends && to > from && (afterFull || padded || FalsePositiveFilter.isMixed(text, from, to));
    }

    private static int afterLineEnds(PaddedText text, int from) {
        int i = from;
        while (isLineEnd(text, i) || BETWEEN.has(text.at(i))) {
            i += text.at(i) == '\\' && isLineEnd(text, i) ? 2 : 1;
        }
        return i;
    }

    private static boolean isLineEnd(PaddedText text, int i) {
        char c = text.at(i);
        return c == '\n' || c == '\\' && (text.at(i + 1) == 'n' || text.at(i + 1) == 'r');
    }

    /** Whether a header starts with a word: {@code DEK-Info: …}, {@code Version: …}, {@code Key-Lines: 3}. */
    private static boolean isHeader(PaddedText text, int wordEnd) {
        int colon = LABEL.endOfRun(text, wordEnd, MAX_LABEL);
        return text.has(colon, ": ") && colon - wordEnd < MAX_LABEL;
    }

    private static int endOfLine(PaddedText text, int from) {
        int i = from;
        while (i < Math.min(text.length(), from + MAX_HEADER) && !isLineEnd(text, i)) {
            i++;
        }
        return i;
    }
}
