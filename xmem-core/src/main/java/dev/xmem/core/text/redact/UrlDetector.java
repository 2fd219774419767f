package dev.xmem.core.text.redact;

/** Finds the password, or the token in place of a user name, that stands before the host of a URL. */
final class UrlDetector implements SecretDetector {
    private static final CharSet TOKEN = CharSet.of("A-Za-z0-9_-");
    private static final int LEAST_TOKEN = 20;

    /** How far a password is followed that holds what should have been escaped. */
    private static final int LONGEST_RAW = 256;

    private final FalsePositiveFilter doubt;

    UrlDetector(FalsePositiveFilter doubt) {
        this.doubt = doubt;
    }

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        switch (text.at(start)) {
            case '@' -> beforeAddress(sweep, start);
            case '%' -> encoded(sweep, end);
            case ':' -> authority(sweep, end);
            default -> oracle(sweep, end);
        }
    }

    private void authority(RedactionPass sweep, int start) {
        PaddedText text = sweep.text();
        int from = Math.max(start, sweep.endOfPlaceholder(start));
        int end = from;
        int at = -1;
        while (!endsHost(text.at(end))) {
            at = text.at(end) == '@' ? end : at;
            end++;
        }
        int colon = indexOf(text, ':', from, at < 0 ? end : at);
        if (at < 0 && colon >= 0 && !endsText(text.at(end)) && !isPort(text, colon + 1, end)) {
            at = rawAt(text, end);
        }
        if (at < 0) {
            return;
        }
        int user = colon < 0 ? at : colon;
        if (isToken(text, from, user)) {
            sweep.redact(from, user, sweep.specific(from, user, "url-token"));
        }
        password(sweep, user + 1, at);
    }

    private static int rawAt(PaddedText text, int from) {
        for (int i = from; i < from + LONGEST_RAW && !endsText(text.at(i)); i++) {
            if (text.at(i) == '@') {
                return i;
            }
        }
        return -1;
    }

    private static boolean endsHost(char c) {
        return c == '/' || c == '?' || c == '#' || endsText(c);
    }

    private static boolean endsText(char c) {
        return c == '\\' || c == '"' || c == '`' || PaddedText.isWhite(c);
    }

    /** Whether digits, or nothing, stand between here and the end of the authority: so a port. An IPv6 address is none. */
    private static boolean isPort(PaddedText text, int from, int end) {
        for (int i = from; i < end; i++) {
            if (!PaddedText.isDigit(text.at(i))) {
                return text.at(i) == ':' || text.at(end - 1) == ']';
            }
        }
        return true;
    }

    private static boolean isToken(PaddedText text, int from, int to) {
        return to - from >= LEAST_TOKEN
                && TOKEN.endOfRun(text, from, to - from) == to
                && FalsePositiveFilter.isMixed(text, from, to);
    }

    private void encoded(RedactionPass sweep, int from) {
        PaddedText text = sweep.text();
        int colon = -1;
        for (int i = from; !endsHost(text.at(i)) && !text.hasIgnoringCase(i, "%2f"); i++) {
            if (colon < 0 && text.hasIgnoringCase(i, "%3a")) {
                colon = i + 3;
            } else if (text.hasIgnoringCase(i, "%40")) {
                if (colon > 0) {
                    password(sweep, colon, i);
                }
                return;
            }
        }
    }

    /** A data source of Go: {@code user:password@tcp(host)}. */
    private void beforeAddress(RedactionPass sweep, int at) {
        PaddedText text = sweep.text();
        int i = at;
        while (at - i < LONGEST_RAW && !endsText(text.at(i - 1)) && "/'(".indexOf(text.at(i - 1)) < 0) {
            i--;
        }
        int colon = indexOf(text, ':', i, at);
        if (colon >= 0) {
            password(sweep, colon + 1, at);
        }
    }

    private void oracle(RedactionPass sweep, int from) {
        PaddedText text = sweep.text();
        int slash = -1;
        for (int i = from; i < from + LONGEST_RAW && !endsText(text.at(i)); i++) {
            if (text.at(i) == '@' && slash > 0) {
                password(sweep, slash + 1, i);
            }
            if (text.at(i) == '@' || text.at(i) == ':' && slash < 0) {
                return;
            }
            slash = slash < 0 && text.at(i) == '/' ? i : slash;
        }
    }

    private void password(RedactionPass sweep, int from, int to) {
        if (from < to && !doubt.isNothing(sweep, from, to)) {
            sweep.redact(from, to, sweep.specific(from, to, "url-password"));
        }
    }

    private static int indexOf(PaddedText text, char c, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.at(i) == c) {
                return i;
            }
        }
        return -1;
    }
}
