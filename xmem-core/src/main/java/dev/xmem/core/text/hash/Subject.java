package dev.xmem.core.text.hash;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Extracts the subject of a failure: the module, host, file or remote that the line names. */
final class Subject {
    private static final int MAX_CHARS = 64;

    private Subject() {}

    /** The subject of a line, or an empty text; prefers the name nearest to the phrase that decided. */
    static String of(ScoredLine line, PhraseMatcher.@Nullable PhraseHit hit, String cause, Set<String> echo) {
        TokenizedLine tokens = line.tokens();
        int from = hit == null ? 0 : hit.first();
        int to = hit == null ? 0 : hit.last();
        boolean host = cause.startsWith("dns")
                || cause.startsWith("connection")
                || cause.startsWith("tls")
                || cause.startsWith("network");
        int best = -1;
        int nearest = Integer.MAX_VALUE;
        for (int i = 0; i < tokens.size; i++) {
            if (!names(tokens, i, echo)) {
                continue;
            }
            int distance = i < from ? 2 * (from - i) + 1 : i > to ? 2 * (i - to) : 0;
            distance += host && tokens.kind(i) != TokenizedLine.HOST && !isAddress(tokens, i) ? 100 : 0;
            distance += tokens.kind(i) == TokenizedLine.NUMBER ? 50 : 0;
            distance += isPosition(tokens, i) ? 40 : isQuoted(tokens, i) ? 0 : 10;
            if (distance < nearest) {
                nearest = distance;
                best = i;
            }
        }
        return best < 0 ? "" : normalized(tokens.text(best), tokens.kind(best));
    }

    private static boolean names(TokenizedLine tokens, int i, Set<String> echo) {
        byte kind = tokens.kind(i);
        if (kind == TokenizedLine.NUMBER) {
            return isAddress(tokens, i);
        }
        if (kind == TokenizedLine.WORD) {
            return tokens.word(i).length() > 1 && echo.contains(tokens.word(i)) && !WordTables.stop(tokens.word(i));
        }
        return kind != TokenizedLine.SIGN && !isCode(tokens, i);
    }

    /** Upper-case letters and digits, such as {@code E0432}. */
    private static boolean isCode(TokenizedLine tokens, int i) {
        boolean digit = false;
        for (int at = tokens.start(i); at < tokens.end(i); at++) {
            char c = tokens.line.charAt(at);
            digit |= CharClasses.isDigit(c);
            if (!(CharClasses.isDigit(c) || c >= 'A' && c <= 'Z')) {
                return false;
            }
        }
        return digit;
    }

    /** Whether a number follows the name directly: a position in a file. */
    private static boolean isPosition(TokenizedLine tokens, int i) {
        return i + 1 < tokens.size
                && tokens.kind(i + 1) == TokenizedLine.NUMBER
                && tokens.start(i + 1) == tokens.end(i) + 1;
    }

    private static boolean isQuoted(TokenizedLine tokens, int i) {
        return tokens.start(i) > 0 && CharClasses.opensQuote(tokens.line.charAt(tokens.start(i) - 1));
    }

    private static boolean isAddress(TokenizedLine tokens, int i) {
        int dots = 0;
        for (int at = tokens.start(i); at < tokens.end(i); at++) {
            dots += tokens.line.charAt(at) == '.' ? 1 : 0;
        }
        return tokens.kind(i) == TokenizedLine.NUMBER && dots == 3;
    }

    private static String normalized(String text, byte kind) {
        String subject = text;
        int scheme = subject.indexOf("://");
        if (scheme >= 0) {
            subject = authority(subject.substring(scheme + 3)).toLowerCase(Locale.ROOT);
        } else if (kind == TokenizedLine.PATH && !subject.startsWith("@")) {
            subject = baseName(subject);
        } else if (kind == TokenizedLine.HOST) {
            subject = subject.toLowerCase(Locale.ROOT);
        }
        subject = subject.strip();
        boolean shown =
                subject.codePointCount(0, subject.length()) <= MAX_CHARS && !subject.isEmpty() && !isSecret(subject);
        return shown ? subject : "";
    }

    private static String authority(String rest) {
        int end = 0;
        while (end < rest.length() && "/?#\\".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String authority = rest.substring(0, end);
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        int colon = host.lastIndexOf(':');
        return colon > 0 ? host.substring(0, colon) : host;
    }

    private static String baseName(String path) {
        int end = path.length();
        while (end > 1 && (path.charAt(end - 1) == '/' || path.charAt(end - 1) == '\\')) {
            end--;
        }
        String cut = path.substring(0, end);
        return cut.substring(Math.max(cut.lastIndexOf('/'), cut.lastIndexOf('\\')) + 1);
    }

    /** Whether the text may be a token or a hash: long, and only letters and digits. */
    private static boolean isSecret(String text) {
        if (text.indexOf('[') >= 0 || text.indexOf('<') >= 0) {
            return true;
        }
        int digits = 0;
        int letters = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            digits += CharClasses.isDigit(c) ? 1 : 0;
            letters += Character.isLetter(c) ? 1 : 0;
        }
        return text.length() >= 20 && digits >= 4 && letters >= 4 && digits + letters >= text.length() - 2;
    }
}
