package dev.xmem.core.text.redact;

import java.util.Locale;
import java.util.Set;

/** Finds the values in {@code Cookie:} and {@code Set-Cookie:}, all of them: which is the session only the server knows. */
final class CookieDetector implements SecretDetector {
    private static final String RULE = "cookie";
    private static final CharSet GAP = CharSet.of(" \"':=,\\");
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_.$!%&*+~|-");
    private static final int MOST_GAP = 12;
    private static final int LONGEST_NAME = 128;

    private final Set<String> attributes;
    private final FalsePositiveFilter doubt;

    CookieDetector(Set<String> attributes, FalsePositiveFilter doubt) {
        this.attributes = attributes;
        this.doubt = doubt;
    }

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        int from = GAP.endOfRun(text, end, MOST_GAP);
        boolean option = text.at(start - 1) == '-' && text.at(start - 2) == '-';
        if (start < sweep.cookiesReadTo() || from == end || !option && !hasColon(text, end, from)) {
            return;
        }
        int i = from;
        while (i < text.length()) {
            int name = NAME.endOfRun(text, i, LONGEST_NAME);
            if (name == i) {
                break;
            }
            i = text.at(name) == '=' ? value(sweep, i, name) : name;
            if (text.at(i) != ';') {
                break;
            }
            i = text.afterBlanks(i + 1);
        }
        sweep.cookiesReadTo(i);
    }

    private static boolean hasColon(PaddedText text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.at(i) == ':' || text.at(i) == ',') {
                return true;
            }
        }
        return false;
    }

    private int value(RedactionPass sweep, int name, int equals) {
        PaddedText text = sweep.text();
        int from = equals + 1;
        boolean attribute = attributes.contains(text.from(name, equals).toLowerCase(Locale.ROOT));
        int to = from;
        while (!endsValue(text, to, attribute)) {
            to++;
        }
        if (to > from && !attribute && !doubt.isNothing(sweep, from, to)) {
            sweep.redact(from, to, sweep.specific(from, to, RULE));
        }
        return to;
    }

    /** Dates among the attributes hold blanks. */
    private static boolean endsValue(PaddedText text, int i, boolean attribute) {
        char c = text.at(i);
        boolean blank = attribute ? c == '\n' || c == 0 : PaddedText.isWhite(c);
        return c == ';' || c == '\'' || c == '"' || c == '\\' || blank;
    }
}
