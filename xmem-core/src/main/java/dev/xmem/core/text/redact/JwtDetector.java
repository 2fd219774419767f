package dev.xmem.core.text.redact;

/** Finds JSON web tokens, also cut ones: two parts or more, joined by points, the first of them a JSON object in base64. */
final class JwtDetector implements SecretDetector {
    private static final CharSet CHARS = CharSet.of("A-Za-z0-9_-");
    private static final CharSet ALL = CharSet.of("A-Za-z0-9_.=-");
    private static final int LEAST = 10;

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        boolean begins = !CHARS.has(text.at(start - 1)) || text.escapeBefore(start) > 0;
        int to = begins ? end(text, start) : -1;
        if (to > 0) {
            sweep.redact(start, to, "jwt");
        }
    }

    /** Where the token ends that begins here; -1 if there is none. */
    int end(PaddedText text, int start) {
        if (!text.has(start, "eyJ")) {
            return -1;
        }
        int header = CHARS.endOfRun(text, start, Integer.MAX_VALUE);
        int payload = CHARS.endOfRun(text, header + 1, LEAST);
        if (header - start < LEAST || text.at(header) != '.' || payload - header - 1 < LEAST) {
            return -1;
        }
        int to = ALL.endOfRun(text, payload, Integer.MAX_VALUE);
        while (text.at(to - 1) == '.') {
            to--;
        }
        return to;
    }
}
