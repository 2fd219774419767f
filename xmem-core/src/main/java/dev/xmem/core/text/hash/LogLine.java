package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.LenientJson.Token;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads what stands in front of a message in a log: a time, a level, a thread, the bars of a group of exceptions. */
final class LogLine {
    private static final LiteralPattern STAMP =
            new LiteralPattern("^\\W{0,2}(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d)?(?:[.,]\\d{1,9})?"
                    + "(?: ?(?:Z|UTC|[A-Z]{3,4}|[+-]\\d\\d:?\\d\\d)(?![A-Za-z]))?"
                    + "|\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?|[A-Z][a-z]{2} {1,2}\\d{1,2} \\d\\d:\\d\\d:\\d\\d)"
                    + "\\W{0,2}\\s*(?:\\[\\d{1,9}\\]:?\\s*)?");

    private static final LiteralPattern QUIET =
            new LiteralPattern("(?:\\[?[\\w.:-]{1,60}\\]?\\s{1,4}){0,2}\\[?(?:INFO|DEBUG|TRACE)\\b");
    private static final LiteralPattern MESSAGE =
            new LiteralPattern("(?:ERROR|WARN|SEVERE|FATAL)\\b.{0,120}? [-:] (.{1,60})$");
    private static final LiteralPattern PLACE = new LiteralPattern("[^\\s:]{1,200}\\.[a-z]{1,8}:\\d{1,7}:\\d{1,7}: ");
    private static final LiteralPattern NOTHING = new LiteralPattern("[A-Za-z][a-z]{1,30}(?: [a-z]{1,30}s)?: 0");
    private static final LiteralPattern FAILED = new LiteralPattern("(?i)(?:error|fatal|failed|failure)\\b");

    private static final Set<String> LEVEL_KEYS = WordTables.list("log-level");
    private static final Set<String> TRACE_KEYS = WordTables.list("log-trace");

    private static final PrefixSet PROGRAMS = new PrefixSet(SalientLines.prefixes("program-exception"));
    private static final PrefixSet BUILDS = new PrefixSet(SalientLines.prefixes("build-exception"));

    private LogLine() {}

    /** Whether a build tool reports with the line that the program which it started threw an exception. */
    static boolean isOfProgram(String text) {
        return PROGRAMS.matches(text);
    }

    /** Whether a line is an exception of a build tool or of a library of tests, or one of them threw it. */
    static boolean isOfBuild(List<ScoredLine> lines) {
        return frameOfBuild(lines) != null || lines.stream().anyMatch(LogLine::isOfBuild);
    }

    private static boolean isOfBuild(ScoredLine line) {
        ExceptionClass exception = line.exception();
        int from = line.text.startsWith("Caused by: ") ? 11 : line.text.startsWith("=> ") ? 3 : 0;
        return BUILDS.match(line.text, from) >= 0
                || exception != null
                        && (BUILDS.matches(exception.message())
                                || exception.name().equals("Error"));
    }

    /** The frame of a build tool's wrapper, or the first frame below an exception if a library of tests threw it. */
    static @Nullable ScoredLine frameOfBuild(List<ScoredLine> lines) {
        boolean below = false;
        for (ScoredLine line : lines) {
            boolean frame = line.text.startsWith("at ");
            if (frame && (BUILDS.matches(line.text) || !below && BUILDS.match(line.text, 3) >= 0)) {
                return line;
            }
            below = frame;
        }
        return null;
    }

    /** The line without indentation, bullets and a time in front. */
    static String undecorated(String raw) {
        int from = 0;
        while (from < raw.length() && (raw.charAt(from) <= ' ' || isDecoration(raw.charAt(from)))) {
            from++;
        }
        String text = raw.substring(from);
        int colon = text.indexOf(':');
        if (colon > 0 && colon < 24 && startsWithTime(text)) {
            Matcher matcher = STAMP.matcher(text);
            if (matcher.lookingAt() && matcher.end() < text.length()) {
                return text.substring(matcher.end());
            }
        }
        return text.isEmpty() ? raw.strip() : withoutFields(text);
    }

    /**
     * The message of a line of a log whose fields are {@code key=value}, and its error behind it, or of one that begins
     * with its level in four letters, as Go's programs print it on a terminal.
     */
    private static String withoutFields(String text) {
        if (text.startsWith("ERRO[") || text.startsWith("FATA[")) {
            String message = text.substring(text.indexOf(']') + 1).strip();
            return message.isEmpty() ? text : message;
        }
        if (!text.contains("msg=") || !text.contains("level=") && !text.contains("lvl=")) {
            return text;
        }
        String message = field(text, "msg");
        String error = field(text, "err");
        error = error.isEmpty() ? field(text, "error") : error;
        String level = text.contains("level=warn") ? "warning: " : text.contains("level=info") ? "info: " : "";
        return message.isEmpty() ? text : level + (error.isEmpty() ? message : message + ": " + error);
    }

    /** The value of a field, without its quotes; a value without quotes ends where the next field begins. */
    private static String field(String text, String key) {
        int at = text.startsWith(key + '=') ? 0 : text.indexOf(' ' + key + '=') + 1;
        int from = at + key.length() + 1;
        if (at == 0 && !text.startsWith(key + '=') || from >= text.length()) {
            return "";
        }
        if (text.charAt(from) == '"') {
            int end = from + 1;
            while (end < text.length() && text.charAt(end) != '"') {
                end += text.charAt(end) == '\\' ? 2 : 1;
            }
            String quoted = text.substring(from + 1, Math.min(end, text.length()));
            return quoted.replace("\\\"", "\"").replace("\\n", " ").strip();
        }
        int equals = text.indexOf('=', from);
        int end = equals < 0 ? text.length() : text.lastIndexOf(' ', equals);
        return text.substring(from, Math.max(from, end)).strip();
    }

    private static boolean isDecoration(char c) {
        return c >= 0x80 && "│╷╵┃×✘✗⨯●├╰╭└─▶".indexOf(c) >= 0;
    }

    /** The text with the stack trace in the place of each line of a log in JSON that has one. */
    static String unfolded(String text) {
        if (!text.contains("{\"") || !text.contains("\\n")) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        for (int from = 0, end = 0; end >= 0; from = end + 1) {
            end = text.indexOf('\n', from);
            String line = text.substring(from, end < 0 ? text.length() : end);
            String trace = line.startsWith("{\"") && line.contains("\\n") ? trace(line) : null;
            out.append(trace == null ? line : trace).append(end < 0 ? "" : "\n");
        }
        return out.toString();
    }

    /** The stack trace of a line of a log in JSON, or null. */
    private static @Nullable String trace(String line) {
        LenientJson json = new LenientJson(line, 0);
        String key = "";
        String trace = null;
        boolean logged = false;
        for (Token token = json.next(); token != Token.END && json.depth() > 0; token = json.next()) {
            if (token == Token.KEY) {
                key = CharClasses.lowerCase(json.value());
                logged |= LEVEL_KEYS.contains(key);
            } else if (token == Token.STRING && trace == null && TRACE_KEYS.contains(key)) {
                trace = json.value().indexOf('\n') > 0 ? json.value() : null;
            }
        }
        return logged ? trace : null;
    }

    /** The line of Maven without the goal that failed, if the line tells why. */
    static String withoutGoal(String text) {
        int goal = text.startsWith("[ERROR] ") ? 8 : 0;
        int project = text.startsWith("Failed to execute goal ", goal) ? text.indexOf(" on project ", goal) : -1;
        int colon = project < 0 ? -1 : text.indexOf(": ", project);
        if (colon < 0) {
            return text;
        }
        String reason = text.substring(colon + 2);
        int execution = reason.startsWith("Execution ") ? reason.indexOf(" failed: ") : -1;
        return execution < 0 ? reason : reason.substring(execution + 9);
    }

    /** A line of a group of exceptions, or below the {@code Line |} of PowerShell, without the bars in front. */
    static String withoutBars(String line) {
        int from = 0;
        while (from < line.length() && " +|".indexOf(line.charAt(from)) >= 0) {
            from++;
        }
        boolean frame = line.startsWith("File \"", from) || from > 0 && line.startsWith("  ", from - 2);
        return from == 0 || from == line.length() ? line : line.substring(frame ? from - 1 : from);
    }

    /** Whether a line begins with a time, which is not part of its text. */
    static boolean isLogged(ScoredLine line) {
        return line.raw.length() - line.text.length() > 7 && !line.indented && startsWithTime(line.raw);
    }

    /** Whether a line that begins with a time reports progress. */
    static boolean isQuiet(String text) {
        return QUIET.matcher(text).lookingAt();
    }

    /** Whether the message of a line that begins with a time only repeats that something failed. */
    static boolean isHeading(String text) {
        Matcher told = MESSAGE.matcher(text);
        return told.find() && AnswerWords.isGeneric(told.group(1));
    }

    private static boolean startsWithTime(String text) {
        for (int i = 0; i < Math.min(8, text.length()); i++) {
            if (CharClasses.isDigit(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the text has no letters, or is a numbered line of code, a step, a count or a stack frame. */
    static boolean isShapeOfNoise(String text) {
        char c = text.charAt(0);
        if ("^|}{)".indexOf(c) >= 0 && !text.startsWith("^-- ")
                || c == '#' && text.length() > 1 && CharClasses.isDigit(text.charAt(1))) {
            return true;
        }
        String step = text.startsWith("[ ") ? text.substring(1).stripLeading() : "";
        int percent = step.indexOf("%]");
        if (percent > 0 && percent < 4 && CharClasses.isDigit(step.charAt(0))
                || step.endsWith("  ]")
                || isStep(text)
                || isCountOfNothing(text)) {
            return true;
        }
        if (CharClasses.isDigit(c) || c == '>') {
            int i = 0;
            while (i < text.length() && (CharClasses.isDigit(text.charAt(i)) || " >".indexOf(text.charAt(i)) >= 0)) {
                i++;
            }
            if (i == text.length() || text.charAt(i) == '|' || text.charAt(i) == '%') {
                return true;
            }
        }
        return isFrame(text) || !hasLetters(text) || isCategory(text);
    }

    /** Whether the text is the level and the category of a message of .NET that stands below. */
    private static boolean isCategory(String text) {
        return (text.startsWith("fail: ") || text.startsWith("crit: "))
                && text.endsWith("]")
                && text.indexOf(' ', 6) < 0;
    }

    /**
     * Whether the text begins with a line and a column of a file, as what a compiler or a linter finds: {@code
     * a.rs:7:1: }. Lines of a log and warnings of Python have the line alone.
     */
    static boolean isLocated(String text) {
        int digit = text.indexOf(':') + 1;
        return digit > 1
                && digit < text.length()
                && CharClasses.isDigit(text.charAt(digit))
                && PLACE.matcher(text).lookingAt()
                && !text.contains("[-W");
    }

    /** Whether the text counts nothing under at most two words, the second a plural: {@code Errors: 0}. */
    private static boolean isCountOfNothing(String text) {
        return text.endsWith(": 0") && NOTHING.matcher(text).matches();
    }

    /** Whether the text begins with a step of several, {@code [2/4] }, and not with an error behind it. */
    private static boolean isStep(String text) {
        int slash = text.charAt(0) == '[' ? text.indexOf('/') : -1;
        int close = slash < 0 ? -1 : text.indexOf("] ", slash);
        if (close < 0 || close > 12) {
            return false;
        }
        for (int i = 1; i < close; i++) {
            if (i != slash && text.charAt(i) != ' ' && !CharClasses.isDigit(text.charAt(i))) {
                return false;
            }
        }
        return !FAILED.matcher(text).region(close + 2, text.length()).lookingAt();
    }

    /** Whether the text lists options in brackets, as the synopsis of a program does. */
    static boolean isSynopsis(String text) {
        int bracket = text.indexOf(" [-");
        return bracket > 0 && text.indexOf(" [-", bracket + 1) > 0;
    }

    /** Whether the text is an option and its description, as the help of a program has them. */
    static boolean isOption(String text) {
        if (text.length() < 3 || text.charAt(0) != '-' || " >".indexOf(text.charAt(1)) >= 0) {
            return false;
        }
        return text.contains("  ") || text.indexOf('\t') > 0 || text.startsWith("--") && text.indexOf(' ') < 0;
    }

    /** Whether the line is the heading of a test that failed: its exception stands below it. */
    static boolean isFailedTest(String text) {
        return text.endsWith(" FAILED") && text.indexOf(" > ") > 0;
    }

    private static boolean isFrame(String text) {
        if (text.startsWith("at ")) {
            return text.indexOf('(') > 0 || text.indexOf(':') > 0 || text.indexOf('/') > 0;
        }
        if (text.startsWith("from ") || text.startsWith("From ")) {
            return text.indexOf(":in ") > 0 || text.indexOf(' ', 5) < 0;
        }
        return text.startsWith("... ") && text.endsWith(" more");
    }

    private static boolean hasLetters(String text) {
        for (int i = 0; i < Math.min(text.length(), 200); i++) {
            if (Character.isLetter(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
