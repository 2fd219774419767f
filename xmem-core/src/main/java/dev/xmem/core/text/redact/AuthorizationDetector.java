package dev.xmem.core.text.redact;

import java.util.Locale;
import java.util.Set;

/** Finds what follows {@code Authorization:} and {@code Bearer}. */
final class AuthorizationDetector implements SecretDetector {
    private static final String RULE = "authorization";
    private static final CharSet SCHEME = CharSet.of("A-Za-z0-9-");
    private static final CharSet GAP = CharSet.of(" \"'`:=,\\>[");
    private static final int LONGEST_SCHEME = 20;
    private static final int MOST_GAP = 12;
    private static final int LEAST_ALONE = 16;

    private final Set<String> schemes;
    private final FalsePositiveFilter doubt;

    AuthorizationDetector(Set<String> schemes, FalsePositiveFilter doubt) {
        this.schemes = schemes;
        this.doubt = doubt;
    }

    @Override
    public void look(RedactionPass sweep, int start, int end) {
        PaddedText text = sweep.text();
        if (text.hasIgnoringCase(start, "bearer")) {
            int from = afterScheme(text, end);
            int to = endOfWord(text, from);
            boolean strong = to - from >= LEAST_ALONE
                    && (FalsePositiveFilter.isMixed(text, from, to) || to - from >= 2 * LEAST_ALONE);
            redact(sweep, from > end && strong ? from : to, to);
            return;
        }
        int from = GAP.endOfRun(text, end, MOST_GAP);
        boolean prefixed = "bfru".indexOf(text.at(from)) >= 0 && PaddedText.isQuote(text.at(from + 1));
        if (from > end && hasSign(text, end, from)) {
            value(sweep, prefixed ? from + 2 : from);
        }
    }

    private static boolean hasSign(PaddedText text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (":=,>".indexOf(text.at(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private void value(RedactionPass sweep, int from) {
        PaddedText text = sweep.text();
        int end = SCHEME.endOfRun(text, from, LONGEST_SCHEME);
        int credentials = afterScheme(text, end);
        String scheme = text.from(from, end).toLowerCase(Locale.ROOT);
        if (credentials == end || !schemes.contains(scheme)) {
            int to = endOfWord(text, from);
            redact(sweep, FalsePositiveFilter.looksSecret(text, from, to) ? from : to, to);
        } else if (scheme.startsWith("aws4") || scheme.equals("digest") || scheme.equals("oauth")) {
            redact(sweep, credentials, endOfHeader(text, credentials));
        } else {
            redact(sweep, credentials, endOfWord(text, credentials));
        }
    }

    private static int afterScheme(PaddedText text, int end) {
        return text.has(end, "%20") ? end + 3 : text.at(end) == '+' ? end + 1 : text.afterBlanks(end);
    }

    private static int endOfWord(PaddedText text, int from) {
        int i = from;
        while (!PaddedText.isWhite(text.at(i)) && !isClosing(text, i)) {
            i++;
        }
        boolean point = i > from && (text.at(i - 1) == '.' || text.at(i - 1) == ',' || text.at(i - 1) == ';');
        return point ? i - 1 : i;
    }

    /** Up to the end of the line or the quote around it all; a quote behind an equals sign opens one within. */
    private static int endOfHeader(PaddedText text, int from) {
        int i = from;
        boolean inner = false;
        while (text.at(i) != 0 && text.at(i) != '\n' && text.at(i) != '\'') {
            if (text.at(i) == '"') {
                if (!inner && text.at(i - 1) != '=') {
                    return i;
                }
                inner = !inner;
            }
            i++;
        }
        return i;
    }

    private static boolean isClosing(PaddedText text, int i) {
        char c = text.at(i);
        return PaddedText.isQuote(c)
                || c == '<' && i > 0 && text.at(i + 1) == '/'
                || c == '\\'
                || c == ')'
                || c == '}'
                || c == ']';
    }

    private void redact(RedactionPass sweep, int from, int to) {
        if (from < to && !doubt.isNothing(sweep, from, to)) {
            sweep.redact(from, to, sweep.specific(from, to, RULE));
        }
    }
}
