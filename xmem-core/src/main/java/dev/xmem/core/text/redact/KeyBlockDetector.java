package dev.xmem.core.text.redact;

/**
 * Finds private keys in blocks: PEM, OpenSSH, PGP, PuTTY, whole or torn at either end, their lines parted by line ends or by
 * the escapes for them. A block that has no line of a key in it is only spoken of, and stays.
 *
 * <p>From a beginning it reads on to the next beginning at most, and from an end back to what was read before: no character
 * is read by two of them.
 */
final class KeyBlockDetector implements SecretDetector {
    private static final String RULE = "private-key";
    private static final CharSet BASE64 = CharSet.of("A-Za-z0-9+/=");
    private static final int LONGEST_LABEL = 64;
    private static final int LONGEST_HEADER = 256;

    private static final int FULL_LINE = 60;

    /** As much of a line makes it a line of a key. */
    private static final int LEAST_LINE = 16;

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        if (text.at(start) != '-') {
            torn(sweep, start);
            return;
        }
        int label = endOfLabel(text, end);
        if (label < 0) {
            return;
        }
        boolean begin = Character.toLowerCase(text.at(end - 1)) == 'n';
        if (begin) {
            block(sweep, start, label);
        } else {
            withoutBeginning(sweep, start, label);
        }
    }

    /** Where the label of a private key, with its hyphens, ends; -1 if it is another label. */
    private static int endOfLabel(PaddedText text, int from) {
        boolean secret = false;
        for (int i = from; i < from + LONGEST_LABEL && text.at(i) != '\n' && text.at(i) != 0; i++) {
            secret |= text.hasIgnoringCase(i, "PRIVATE KEY");
            if (text.has(i, "----")) {
                return secret ? text.at(i + 4) == '-' ? i + 5 : i + 4 : -1;
            }
        }
        return -1;
    }

    private static void block(RedactionPass sweep, int start, int from) {
        PaddedText text = sweep.text();
        int line = from;
        int i = from;
        boolean key = false;
        while (i < text.length() && !text.hasIgnoringCase(i, "-----begin")) {
            if (text.hasIgnoringCase(i, "-----end") || text.hasIgnoringCase(i, "---- end")) {
                int end = endOfLabel(text, i + 8);
                if (end >= 0) {
                    if (key) {
                        sweep.redact(start, end, RULE);
                    }
                    return;
                }
            }
            line = BASE64.has(text.at(i)) ? line : i + 1;
            key |= i - line >= LEAST_LINE;
            i++;
        }
        int end = endOfBody(text, from);
        if (end > from) {
            sweep.redact(start, end, RULE);
        }
    }

    /** What begins as a key does in base64, or a file of PuTTY. */
    private static void torn(RedactionPass sweep, int start) {
        PaddedText text = sweep.text();
        boolean begins = !BASE64.has(text.at(start - 1)) || text.escapeBefore(start) > 0;
        boolean putty = text.hasIgnoringCase(start, "putty");
        int end = begins ? endOfBody(text, putty ? endOfLine(text, start) : start) : -1;
        if (end > start) {
            sweep.redact(start, end, RULE);
        }
    }

    private static void withoutBeginning(RedactionPass sweep, int start, int to) {
        PaddedText text = sweep.text();
        int i = start;
        int from = start;
        boolean key = false;
        int run = 0;
        while (i > 0 && (BASE64.has(text.at(i - 1)) || isBetweenLines(text, i - 1))) {
            i--;
            run = BASE64.has(text.at(i)) && text.escapeBefore(i + 1) != 1 ? run + 1 : 0;
            key |= run >= LEAST_LINE;
            from = run >= LEAST_LINE ? i : from;
        }
        if (key) {
            sweep.redact(from, to, RULE);
        }
    }

    private static boolean isBetweenLines(PaddedText text, int i) {
        char c = text.at(i);
        return c == '\n' || c == '\\' && (text.at(i + 1) == 'n' || text.at(i + 1) == 'r');
    }

    /** Where the lines of a torn key end: lines of base64 and headers; no later than the first that is neither. */
    private static int endOfBody(PaddedText text, int from) {
        int end = -1;
        int i = from;
        boolean full = false;
        while (i < text.length()) {
            i = afterLineEnds(text, i);
            int word = BASE64.endOfRun(text, i, Integer.MAX_VALUE);
            if (word - i >= LEAST_LINE || end > 0 && isLastLine(text, i, word, full)) {
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
        char next = text.at(to);
        boolean ends = next == 0 || isLineEnd(text, to) || PaddedText.isQuote(next);
        return ends
                && to > from
                && (afterFull || text.at(to - 1) == '=' || FalsePositiveFilter.isMixed(text, from, to));
    }

    private static int afterLineEnds(PaddedText text, int from) {
        int i = from;
        while (i < text.length() && (isLineEnd(text, i) || " \t\"'+,\\>|#".indexOf(text.at(i)) >= 0)) {
            i += text.at(i) == '\\' && isLineEnd(text, i) ? 2 : 1;
        }
        return i;
    }

    private static boolean isLineEnd(PaddedText text, int i) {
        char c = text.at(i);
        return c == '\n' || c == '\\' && (text.at(i + 1) == 'n' || text.at(i + 1) == 'r');
    }

    /** Such as {@code DEK-Info: …}, {@code Version: …}; {@code Key-Lines: 3}. */
    private static boolean isHeader(PaddedText text, int wordEnd) {
        int colon = wordEnd;
        while (text.at(colon) == '-' || PaddedText.isAlphanumeric(text.at(colon))) {
            colon++;
        }
        return text.at(colon) == ':' && text.at(colon + 1) == ' ' && colon - wordEnd < LONGEST_LABEL;
    }

    private static int endOfLine(PaddedText text, int from) {
        int i = from;
        while (i < Math.min(text.length(), from + LONGEST_HEADER) && !isLineEnd(text, i)) {
            i++;
        }
        return i;
    }
}
