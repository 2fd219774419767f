package dev.xmem.core.text.redact;

/**
 * Finds the password before the host of a URL, a token in place of its user name, and the parameters that are secret in
 * URLs only: {@code ?sig=}, {@code &key=}.
 */
final class UrlDetector {
    private static final CharSet TOKEN = CharSet.of("A-Za-z0-9_-");
    private static final CharSet COLON = CharSet.of(":");
    private static final CharSet SIGNATURE = CharSet.of("A-Za-z0-9%+/=._~-");
    private static final int MIN_TOKEN = 20;
    private static final int MAX_PARAMETER = 32;
    private static final int MIN_SIGNATURE = 16;

    /** The length up to which a password is followed that contains unescaped delimiters. */
    private static final int MAX_RAW = 256;

    private UrlDetector() {}

    static void detect(RedactionPass pass, int start, int end) {
        switch (pass.text.at(start)) {
            case '@' -> beforeAddress(pass, start);
            case '%' -> encoded(pass, end);
            case ':' -> authority(pass, end);
            default -> oracle(pass, end);
        }
    }

    /** Finds a signature after the name of a parameter. */
    static void signature(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        int name = TOKEN.startOfRun(text, start, MAX_PARAMETER);
        char before = text.at(name - 1);
        boolean parameter = "?&#".indexOf(before) >= 0 || before == ';' && text.has(name - 5, "&amp;");
        int to = parameter ? SIGNATURE.endOfRun(text, end, Integer.MAX_VALUE) : end;
        if (to - end >= MIN_SIGNATURE && FalsePositiveFilter.isMixed(text, end, to)) {
            pass.redact(end, to, pass.specific(end, to, "url-signature"));
        }
    }

    private static void authority(RedactionPass pass, int start) {
        PaddedText text = pass.text;
        int from = Math.max(start, pass.endOfPlaceholder(start));
        int end = from;
        int at = -1;
        while (!endsHost(text.at(end))) {
            at = text.at(end) == '@' ? end : at;
            end++;
        }
        int colon = COLON.indexIn(text, from, at < 0 ? end : at);
        if (at < 0 && colon >= 0 && !endsText(text.at(end)) && !isPort(text, colon + 1, end)) {
            at = rawAt(text, end);
        }
        if (at < 0) {
            return;
        }
        int user = colon < 0 ? at : colon;
        if (isToken(text, from, user)) {
            pass.redact(from, user, pass.specific(from, user, "url-token"));
        }
        password(pass, user + 1, at);
    }

    private static int rawAt(PaddedText text, int from) {
        for (int i = from; i < from + MAX_RAW && !endsText(text.at(i)); i++) {
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

    /** Whether the rest of an authority is a port or part of an IPv6 address. */
    private static boolean isPort(PaddedText text, int from, int end) {
        for (int i = from; i < end; i++) {
            if (!PaddedText.isDigit(text.at(i))) {
                return text.at(i) == ':' || text.at(end - 1) == ']';
            }
        }
        return true;
    }

    private static boolean isToken(PaddedText text, int from, int to) {
        return to - from >= MIN_TOKEN
                && TOKEN.endOfRun(text, from, to - from) == to
                && FalsePositiveFilter.isMixed(text, from, to);
    }

    /** A URL inside another one: {@code https%3A%2F%2Fuser%3Apassword%40host}. */
    private static void encoded(RedactionPass pass, int from) {
        PaddedText text = pass.text;
        int colon = -1;
        for (int i = from; !endsHost(text.at(i)) && !text.hasIgnoringCase(i, "%2f"); i++) {
            if (colon < 0 && text.hasIgnoringCase(i, "%3a")) {
                colon = i + 3;
            } else if (text.hasIgnoringCase(i, "%40")) {
                if (colon > 0) {
                    password(pass, colon, i);
                }
                return;
            }
        }
    }

    /** A data source name of Go: {@code user:password@tcp(host)}. */
    private static void beforeAddress(RedactionPass pass, int at) {
        PaddedText text = pass.text;
        int i = at;
        while (at - i < MAX_RAW && !endsText(text.at(i - 1)) && "/'(".indexOf(text.at(i - 1)) < 0) {
            i--;
        }
        int colon = COLON.indexIn(text, i, at);
        if (colon >= 0) {
            password(pass, colon + 1, at);
        }
    }

    /** An Oracle JDBC URL: {@code jdbc:oracle:thin:user/password@host}. */
    private static void oracle(RedactionPass pass, int from) {
        PaddedText text = pass.text;
        int slash = -1;
        for (int i = from; i < from + MAX_RAW && !endsText(text.at(i)); i++) {
            if (text.at(i) == '@' && slash > 0) {
                password(pass, slash + 1, i);
            }
            if (text.at(i) == '@' || text.at(i) == ':' && slash < 0) {
                return;
            }
            slash = slash < 0 && text.at(i) == '/' ? i : slash;
        }
    }

    private static void password(RedactionPass pass, int from, int to) {
        pass.redactValue(from, to, "url-password");
    }
}
