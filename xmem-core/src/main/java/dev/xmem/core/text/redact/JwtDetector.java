package dev.xmem.core.text.redact;

/**
 * Finds JSON web tokens, also truncated ones: at least two parts joined by dots, of which the first is a base64-encoded
 * JSON object.
 */
final class JwtDetector {
    private static final CharSet CHARS = CharSet.of("A-Za-z0-9_-");
    private static final CharSet ALL = CharSet.of("A-Za-z0-9_.=-");
    private static final int MIN_PART = 10;

    private JwtDetector() {}

    static void detect(RedactionPass pass, int start, int end) {
        boolean begins = !CHARS.has(pass.text.at(start - 1)) || pass.text.escapeBefore(start) > 0;
        int to = begins ? end(pass.text, start) : -1;
        if (to > 0) {
            pass.redact(start, to, "jwt");
        }
    }

    /** The end of the token that starts at an index; -1 if there is none. */
    static int end(PaddedText text, int start) {
        if (!text.has(start, "eyJ")) {
            return -1;
        }
        int header = CHARS.endOfRun(text, start, Integer.MAX_VALUE);
        int payload = CHARS.endOfRun(text, header + 1, MIN_PART);
        if (header - start < MIN_PART || text.at(header) != '.' || payload - header - 1 < MIN_PART) {
            return -1;
        }
        int to = ALL.endOfRun(text, payload, Integer.MAX_VALUE);
        while (text.at(to - 1) == '.') {
            to--;
        }
        return to;
    }
}
