package dev.xmem.core.text.redact;

import java.util.Locale;
import java.util.Set;

/** Finds all values in {@code Cookie:} and {@code Set-Cookie:}: only the server knows which one is the session. */
final class CookieDetector implements SecretDetector {
    private static final CharSet GAP = CharSet.of(" \"':=,\\");
    private static final CharSet SEPARATOR = CharSet.of(":,");
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_.$!%&*+~|-");
    private static final int MAX_GAP = 12;
    private static final int MAX_NAME = 128;

    private final Set<String> attributes;

    CookieDetector(Set<String> attributes) {
        this.attributes = attributes;
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        int i = GAP.endOfRun(text, end, MAX_GAP);
        boolean option = text.at(start - 1) == '-' && text.at(start - 2) == '-';
        if (start < pass.cookiesReadTo || i == end || !option && SEPARATOR.indexIn(text, end, i) < 0) {
            return;
        }
        int name = NAME.endOfRun(text, i, MAX_NAME);
        while (name > i) {
            i = text.at(name) == '=' ? value(pass, i, name) : name;
            if (text.at(i) == ';') {
                i = text.afterBlanks(i + 1);
                name = NAME.endOfRun(text, i, MAX_NAME);
            }
        }
        pass.cookiesReadTo = i;
    }

    private int value(RedactionPass pass, int name, int equals) {
        int from = equals + 1;
        boolean attribute = attributes.contains(pass.text.from(name, equals).toLowerCase(Locale.ROOT));
        int to = from;
        while (!endsValue(pass.text, to, attribute)) {
            to++;
        }
        if (!attribute) {
            pass.redactValue(from, to, "cookie");
        }
        return to;
    }

    /** A date in an attribute contains blanks. */
    private static boolean endsValue(PaddedText text, int i, boolean attribute) {
        char c = text.at(i);
        boolean blank = attribute ? c == '\n' || c == 0 : PaddedText.isWhite(c);
        return c == ';' || c == '\'' || c == '"' || c == '\\' || blank;
    }
}
