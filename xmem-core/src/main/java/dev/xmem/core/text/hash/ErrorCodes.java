package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The rules of {@code codes.txt} for error codes, errno names, exception classes, exit statuses and HTTP statuses. */
final class ErrorCodes {
    private static final List<Code> CODES = new ArrayList<>();
    private static final Map<String, List<LiteralPattern>> PATTERNS = new HashMap<>();
    /** What stands for a name, a path, and what a shell prints in front of a message. */
    private static final Map<String, String> PARTS = Map.of(
            "{name}", "[\"'`‘“]?([\\w.+-]{1,60})[\"'`’”]?",
            "{path}", "[\"'`‘“]?([\\w.+/-]{1,200})[\"'`’”]?",
            "{shell}", "(?:\\S{0,80}: ?)?(?:[^:]{0,20}\\d{1,6}[^:]{0,9}: ?)?");

    private static final Map<String, String> ERRNO = new HashMap<>();
    private static final Map<String, String> EXITS = new HashMap<>();
    private static final List<ClassRule> CLASSES = new ArrayList<>();
    private static final List<ClassRule> IDS = new ArrayList<>();
    private static final Set<String> GENERIC = new HashSet<>();
    private static final List<String> GENERIC_ENDS = new ArrayList<>();
    private static final Set<String> HTTP_WORDS = WordTables.list("http-words");
    private static final Set<String> HTTP_REASONS = WordTables.list("http-reasons");
    private static final Set<String> HTTP_CAPITAL_REASONS = WordTables.list("http-capital-reasons");
    /** A variable of the environment, and what an error says of it. */
    private static final LiteralPattern VARIABLE = new LiteralPattern("\\b([A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){0,3}"
            + "(?:_HOME|_ROOT|(?= environment variable)))(?: environment)?(?: variable)?"
            + " (?:is|was|has|must|points?)\\b.{0,20}\\b(?:set|defined|undefined|unset|invalid|incorrect)\\b");

    private static final int MAX_CHARS = 600;

    /** An error code of a tool, and what it is in a hash. */
    private record Code(LiteralPattern pattern, String result, boolean weak) {}

    private record ClassRule(List<String> parts, String cause) {}

    static {
        for (String line : RuleFile.lines(ErrorCodes.class, "codes.txt")) {
            read(line);
        }
    }

    private ErrorCodes() {}

    /** The patterns of a kind: of lines about a missing program, or of answers that clients print. */
    static List<LiteralPattern> patterns(String kind) {
        return PATTERNS.getOrDefault(kind, List.of());
    }

    /** The variable of the environment that a line says is not set or wrong, such as {@code java-home}; or null. */
    static @Nullable String variable(String text) {
        boolean named = text.contains("_HOME ") || text.contains("_ROOT ") || text.contains(" environment variable");
        if (!named || text.length() > 400) {
            return null;
        }
        Matcher matcher = VARIABLE.matcher(text);
        return matcher.find() ? Slugs.kebab(matcher.group(1)) : null;
    }

    /** The cause of an error about a variable of the environment. */
    static HashCause variableCause(String text) {
        return HashCause.of(text.contains("invalid") || text.contains("correctly") ? "invalid" : "not-set");
    }

    /**
     * The error code of the line as part of a hash, or null.
     *
     * @param named whether the words of the line name a cause, so that a weak code does not decide
     */
    static @Nullable String code(ScoredLine line, boolean named) {
        String text = line.text.substring(0, Math.min(line.text.length(), MAX_CHARS));
        for (Code code : CODES) {
            Matcher matcher = named && code.weak ? null : code.pattern.matcher(text, line.letters);
            if (matcher != null && matcher.find()) {
                return Slugs.kebab(code.result.replace("$1", matcher.group(1)));
            }
        }
        return null;
    }

    /**
     * The rule of a linter that a line reports, such as {@code E302}: up to four capital letters and three or four
     * digits behind a position, {@code a.py:3:1: E302 }, or one letter and the digits at the beginning; or null. The
     * level and the date in front of a time are none: {@code E0613 15:04:05}.
     */
    static @Nullable String rule(String text) {
        int from = position(text);
        int end = from;
        while (end < text.length() && end < from + 4 && text.charAt(end) >= 'A' && text.charAt(end) <= 'Z') {
            end++;
        }
        int digits = end;
        while (digits < text.length() && CharClasses.isDigit(text.charAt(digits))) {
            digits++;
        }
        boolean found = end > from
                && (from > 0 || end == 1)
                && digits > end + 2
                && digits < end + 5
                && !text.startsWith(":", digits + 3)
                && (text.startsWith(" ", digits) || text.startsWith(": ", digits));
        return found ? text.substring(from, digits) : null;
    }

    /** Where a text begins behind {@code file:line} or {@code file:line:column: }; 0 if no position is in front. */
    private static int position(String text) {
        int blank = text.indexOf(' ');
        int end = blank > 1 && text.charAt(blank - 1) == ':' ? blank - 1 : blank;
        int from = end;
        while (from > 0 && (CharClasses.isDigit(text.charAt(from - 1)) || text.charAt(from - 1) == ':')) {
            from--;
        }
        return from > 0 && from < end && text.charAt(from) == ':' ? blank + 1 : 0;
    }

    /** The cause of an errno name in the line, or null. */
    static @Nullable String errno(TokenizedLine tokens) {
        for (int i = 0; i < tokens.size; i++) {
            int start = tokens.start(i);
            char c = tokens.line.charAt(start);
            if (c >= 'C' && c <= 'U' && tokens.end(i) - start >= 4) {
                String cause = ERRNO.get(tokens.text(i));
                if (cause != null) {
                    return cause;
                }
            }
        }
        return null;
    }

    /** The HTTP status that the line reports, such as {@code http-404}, or null. */
    static @Nullable String http(TokenizedLine tokens) {
        for (int i = 0; i < tokens.size; i++) {
            if (isStatus(tokens, i) && (reportedBefore(tokens, i) || reasonAfter(tokens, i))) {
                return "http-" + tokens.text(i);
            }
        }
        return null;
    }

    /** The cause of an exit status, or null. */
    static @Nullable String exit(@Nullable Integer status) {
        return status == null ? null : EXITS.get(status.toString());
    }

    /** The cause of an exception class, or null. */
    static @Nullable String classCause(String simpleName) {
        return first(CLASSES, simpleName);
    }

    /** The cause that the id of an error of PowerShell names, or null. */
    static @Nullable String errorId(String id) {
        return first(IDS, id);
    }

    private static @Nullable String first(List<ClassRule> rules, String name) {
        for (ClassRule rule : rules) {
            for (String part : rule.parts) {
                if (name.contains(part)) {
                    return rule.cause;
                }
            }
        }
        return null;
    }

    /** Whether the class does not tell causes apart, such as {@code RuntimeException}. */
    static boolean isGeneric(String simpleName) {
        boolean generic = GENERIC.contains(simpleName);
        for (int i = 0; i < GENERIC_ENDS.size() && !generic; i++) {
            generic = simpleName.endsWith(GENERIC_ENDS.get(i));
        }
        return generic;
    }

    private static boolean isStatus(TokenizedLine tokens, int i) {
        return tokens.kind(i) == TokenizedLine.NUMBER
                && tokens.end(i) - tokens.start(i) == 3
                && "45".indexOf(tokens.line.charAt(tokens.start(i))) >= 0;
    }

    private static boolean reportedBefore(TokenizedLine tokens, int i) {
        return i > 0
                && (HTTP_WORDS.contains(tokens.word(i - 1))
                        || tokens.text(i - 1).startsWith("HTTP"));
    }

    private static boolean reasonAfter(TokenizedLine tokens, int i) {
        if (i + 1 >= tokens.size) {
            return false;
        }
        boolean capital = tokens.end(i) + 1 == tokens.start(i + 1)
                && Character.isUpperCase(tokens.line.charAt(tokens.start(i + 1)));
        String word = tokens.word(i + 1);
        return HTTP_REASONS.contains(word) || capital && HTTP_CAPITAL_REASONS.contains(word);
    }

    private static void read(String line) {
        int blank = line.indexOf(' ');
        String kind = line.substring(0, blank);
        String rest = line.substring(blank + 1);
        int colon = rest.lastIndexOf(" : ");
        String result = rest.substring(colon + 3).trim();
        String names = rest.substring(0, Math.max(colon, 0));
        switch (kind) {
            case "code", "weak-code" -> {
                int first = rest.indexOf(" : ");
                LiteralPattern pattern = new LiteralPattern(rest.substring(0, first), rest.substring(first + 3, colon));
                CODES.add(new Code(pattern, result, kind.startsWith("weak")));
            }
            case "program", "known-program", "answer", "thrown-answer" -> addPattern(kind, rest);
            case "errno" -> putAll(ERRNO, names, result);
            case "exit" -> putAll(EXITS, names, result);
            case "class" -> CLASSES.add(new ClassRule(RuleFile.words(names), result));
            case "errorid" -> IDS.add(new ClassRule(RuleFile.words(names), result));
            case "generic-end" -> GENERIC_ENDS.addAll(RuleFile.words(rest.substring(2)));
            case "generic" -> GENERIC.addAll(RuleFile.words(rest.substring(2)));
            default -> throw new IllegalStateException("codes.txt: " + line);
        }
    }

    private static void addPattern(String kind, String rest) {
        int colon = rest.indexOf(" : ");
        String expression = rest.substring(colon + 3);
        for (Map.Entry<String, String> part : PARTS.entrySet()) {
            expression = expression.replace(part.getKey(), part.getValue());
        }
        List<LiteralPattern> patterns = PATTERNS.getOrDefault(kind, new ArrayList<>());
        patterns.add(new LiteralPattern(rest.substring(0, colon), expression));
        PATTERNS.put(kind, patterns);
    }

    private static void putAll(Map<String, String> map, String names, String result) {
        for (String name : RuleFile.words(names)) {
            map.put(name, result);
        }
    }
}
