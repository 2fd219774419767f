package dev.xmem.core.text.redact;

import java.util.Locale;
import java.util.Set;

/** Finds the credentials after {@code Authorization:} and {@code Bearer}. */
final class AuthorizationDetector implements SecretDetector {
    private static final String RULE = "authorization";
    private static final CharSet SCHEME = CharSet.of("A-Za-z0-9-");
    private static final CharSet GAP = CharSet.of(" \"'`:=,\\>[");
    private static final CharSet SEPARATOR = CharSet.of(":=,>");
    private static final CharSet CLOSING = CharSet.of("\"'`\\)}]");
    private static final int MAX_SCHEME = 20;
    private static final int MAX_GAP = 12;
    private static final int MIN_BEARER = 16;

    private final Set<String> schemes;

    AuthorizationDetector(Set<String> schemes) {
        this.schemes = schemes;
    }

    @Override
    public void detect(RedactionPass pass, int start, int end) {
        PaddedText text = pass.text;
        if (text.hasIgnoringCase(start, "bearer")) {
            int from = afterScheme(text, end);
            int to = endOfWord(text, from);
            boolean strong = to - from >= MIN_BEARER
                    && (FalsePositiveFilter.isMixed(text, from, to) || to - from >= 2 * MIN_BEARER);
            if (from > end && strong) {
                pass.redactValue(from, to, RULE);
            }
            return;
        }
        int from = GAP.endOfRun(text, end, MAX_GAP);
        boolean prefixed = "bfru".indexOf(text.at(from)) >= 0 && PaddedText.isQuote(text.at(from + 1));
        if (SEPARATOR.indexIn(text, end, from) >= 0) {
            header(pass, prefixed ? from + 2 : from);
        }
    }

    private void header(RedactionPass pass, int from) {
        PaddedText text = pass.text;
        int end = SCHEME.endOfRun(text, from, MAX_SCHEME);
        int credentials = afterScheme(text, end);
        String scheme = text.from(from, end).toLowerCase(Locale.ROOT);
        if (credentials == end || !schemes.contains(scheme)) {
            int to = endOfWord(text, from);
            if (FalsePositiveFilter.looksSecret(text, from, to)) {
                pass.redactValue(from, to, RULE);
            }
        } else if (scheme.startsWith("aws4") || scheme.equals("digest") || scheme.equals("oauth")) {
            pass.redactValue(credentials, endOfHeader(text, credentials), RULE);
        } else {
            pass.redactValue(credentials, endOfWord(text, credentials), RULE);
        }
    }

    private static int afterScheme(PaddedText text, int end) {
        return text.has(end, "%20") ? end + 3 : text.at(end) == '+' ? end + 1 : text.afterBlanks(end);
    }

    private static int endOfWord(PaddedText text, int from) {
        int i = from;
        while (!PaddedText.isWhite(text.at(i)) && !CLOSING.has(text.at(i)) && !text.has(i, "</")) {
            i++;
        }
        return i > from && ".,;".indexOf(text.at(i - 1)) >= 0 ? i - 1 : i;
    }

    /** The end of the line or of the enclosing quote. A quote after an equals sign opens a nested one. */
    private static int endOfHeader(PaddedText text, int from) {
        int i = from;
        boolean nested = false;
        while (text.at(i) != 0 && text.at(i) != '\n' && text.at(i) != '\'') {
            if (text.at(i) == '"') {
                if (!nested && text.at(i - 1) != '=') {
                    return i;
                }
                nested = !nested;
            }
            i++;
        }
        return i;
    }
}
