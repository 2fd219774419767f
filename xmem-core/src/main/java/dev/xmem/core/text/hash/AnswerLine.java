package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A line that reports the error of a structured answer: {@code HTTP 404 (index_not_found_exception): no such index}.
 *
 * @param codes the codes of the answer that tell causes apart, as words joined by hyphens; the first is the most
 *     specific
 * @param general the other codes, which only repeat the status
 */
record AnswerLine(@Nullable String status, List<String> codes, List<String> general, String message) {
    /** The line of PowerShell that has the id of an error, which is the same in all languages. */
    private static final LiteralPattern ERROR_ID = new LiteralPattern(
            "FullyQualifiedErrorId",
            "\\+? *FullyQualifiedErrorId ?: (?!RuntimeException|WebCmdlet)(?<codes>\\w{2,80})(?:,.*)?(?<status>)(?<message>)");

    /** The forms in which SDKs print an answer. */
    private static final List<LiteralPattern> SDK = ErrorCodes.patterns("answer");

    /** An exception whose message begins with a status. */
    private static final List<LiteralPattern> THROWN_STATUS = ErrorCodes.patterns("thrown-answer");

    private static final LiteralPattern LINE = new LiteralPattern(
            "(?:HTTP (?<status>[45]\\d\\d)|error)(?: \\((?<codes>[\\w.:/ ,#-]{2,300})\\))?:(?: (?<message>.*))?");

    /** A code that an SDK prints: after the last colon, quoted between parentheses, or named code. */
    private static final LiteralPattern IDENTIFIER = new LiteralPattern(
            "(?:: |^[a-z0-9]{2,10}: \"|[(]'?|\\bcode[:=] ?'?)"
                    + "([a-z]{2,30}(?:_[a-z]{1,30}){1,6}|[A-Z]{2,30}(?:_[A-Z]{1,30}){1,6}|[0-9A-Z]{5})(?=['\"]|,|$|[)])");

    /** The message and the code of an answer that is printed as an object of a language. */
    private static final LiteralPattern RECORD_MESSAGE =
            new LiteralPattern("[(,;:] ?(?:[mM]essage|[dD]etails?)[=:] ?[\"']?(?!None\\b)"
                    + "([^=]{2,400}?)[\"']?(?=, [A-Za-z_]{2,30}[=:]|[)}]+>?[.]?$|$)");

    private static final LiteralPattern RECORD_CODE = new LiteralPattern(
            "[(,;:] ?(?:[cC]ode|[sS]tatus|[sS]tatus ?[cC]ode|[rR]eason|type)[=:] ?[\"']?([A-Za-z0-9_.]{2,60})\\b");

    /** The address of a page below a message. */
    private static final LiteralPattern ADDRESS = new LiteralPattern(
            "(?: (?:-|// See:) https?://\\S{1,400}| at https?://\\S{1,400}(?: [(]HTTP status: \\d{3}[)])?| for url:? .{1,400}| [(]Request ID: [^)]{1,100}[)]"
                    + "| [(](?:HTTP |[Ss]tatus:? (?:[Cc]ode:? )?)?[45]\\d\\d[)])$");

    /** The id of a message that its vendor gave it, in front of the message. */
    private static final LiteralPattern VENDOR =
            new LiteralPattern("(?:[A-Za-z ]{0,40}\\b[45]\\d\\d:? )?([A-Z]{1,6}[-_]?\\d{4,9}[A-Z]?):? ");

    /** A status with its reason in quotes. */
    private static final LiteralPattern QUOTED =
            new LiteralPattern(".{0,80}?(?:Client|Server) error '([45]\\d\\d) [^']{0,80}' for .*");

    /** A line with a field of an answer. */
    private static final LiteralPattern FIELD = new LiteralPattern("(?i)(message|detail|title|code|status|text): (.*)");

    /** The fields of a request behind a message: {@code (Service: S3, Status Code: 404)}. */
    private static final LiteralPattern FIELDS = new LiteralPattern("(?: [(][A-Z][A-Za-z ]{1,30}: [^()]{1,200}[)])+$");

    /** The field of an exception of an SDK that has the code of the answer, printed below the frames. */
    private static final LiteralPattern PROPERTY = new LiteralPattern(
            "(?:[eE]rror ?)?[cC]ode: '?(?!ERR_)(?:[\\w.]{1,80}#)?([A-Za-z][A-Za-z\\d]{1,40}(?:[_.-][A-Za-z\\d]{1,40}){0,8})'?,?");

    /** The text up to a status. */
    private static final LiteralPattern STATUS =
            new LiteralPattern(".{0,120}?(?<![\\w.-])[45]\\d\\d(?![\\w-])[\\]:).,]?[ -]{0,3}");

    /** A status with its reason before a text. */
    private static final LiteralPattern PLAIN = new LiteralPattern(
            "(?:HTTP |Request failed with status code )?([45]\\d\\d)(?: [(]?" + AnswerText.REASON + "[)]?)?: (.*)");

    /** The number of an error that a client prints between the reason and the message. */
    private static final LiteralPattern NUMBERED =
            new LiteralPattern("(?:[A-Z][A-Za-z ]{2,40} )?[(]error code: (\\d{1,9})[)]: ");

    /** The code of an error behind the class that a client throws. */
    private static final LiteralPattern BRACKETED =
            new LiteralPattern("[A-Z]\\w{1,60}(?:Error|Exception)\\[(\\w{2,40})\\]: (.*)");
    /** What a code begins with that is the address of a type of problem: the whole code is the cause. */
    static final String PROBLEM = "/";

    /** What a code begins with that is the name of an exception: services name one cause by several. */
    static final String CLASS = "~";

    /** What the class begins with that a client throws: it says less than the answer. */
    static final String THROWN = "!";

    private static final String LABEL = "Message: ";

    private static final int MAX_CHARS = 2_000;

    AnswerLine {
        codes = List.copyOf(codes);
        general = List.copyOf(general);
    }

    /**
     * The answer that the line reports, or null.
     *
     * @param letters the letters of the line, see {@link LiteralPattern}
     */
    static @Nullable AnswerLine of(String line, long letters) {
        Matcher matcher = matcher(line, letters);
        if (matcher == null) {
            return null;
        }
        List<String> codes = new ArrayList<>();
        List<String> general = new ArrayList<>();
        String named = orEmpty(matcher.group("codes"));
        List<String> listed = new ArrayList<>();
        for (int from = 0, end = 0; end >= 0 && !named.isEmpty(); from = end + 2) {
            end = named.indexOf(", ", from);
            listed.add(named.substring(from, end < 0 ? named.length() : end));
        }
        String message = withoutAddress(orEmpty(matcher.group("message")).strip());
        Matcher numbered = message.contains("(error code: ") ? NUMBERED.matcher(message) : null;
        if (numbered != null && numbered.lookingAt()) {
            codes.add(numbered.group(1));
            message = message.substring(numbered.end());
        }
        PrintedCode printed = PrintedCode.of(message);
        if (printed != null) {
            add(printed.code(), codes, general);
            message = printed.message();
        }
        Matcher vendor = VENDOR.matcher(message);
        if (vendor.lookingAt()) {
            listed.add(0, vendor.group(1));
        }
        message = AnswerWords.isBesideStatus(message) ? "" : message;
        boolean thrown = THROWN_STATUS.get(0).isOf(matcher);
        boolean id = ERROR_ID.isOf(matcher);
        for (String code : listed) {
            String known = id ? ErrorCodes.errorId(code) : null;
            String words = known == null ? AnswerWords.of(code) : known;
            if (!words.isEmpty() && (!thrown || AnswerWords.isCause(words))) {
                boolean generic = AnswerWords.isGeneric(words);
                (generic ? general : codes).add(generic ? words : (thrown ? THROWN : mark(code)) + words);
            }
        }
        message = id && !codes.isEmpty() ? codes.get(0).replace('-', ' ') : message;
        String status = matcher.group("status");
        return new AnswerLine(status == null || status.isEmpty() ? null : status, codes, general, message);
    }

    /** Whether the line has the id of an error of PowerShell that tells causes apart in any language. */
    static boolean isErrorId(ScoredLine line) {
        AnswerLine answer = line.text.contains("FullyQualifiedErrorId") ? line.answer() : null;
        return answer != null && !answer.codes().isEmpty();
    }

    /** Whether the line has the id of an error of PowerShell that names a cause. */
    static boolean isKnownErrorId(ScoredLine line) {
        int id = line.text.indexOf("FullyQualifiedErrorId");
        return id >= 0 && ErrorCodes.errorId(line.text.substring(id).split(",", 2)[0]) != null;
    }

    /** The answer whose code an SDK prints as a field of its exception, without a message; or null. */
    static @Nullable AnswerLine ofProperty(String line) {
        Matcher property = PROPERTY.matcher(line);
        String code = line.contains("ode: ") && property.matches() ? property.group(1) : "";
        String words = AnswerWords.of(code);
        return words.isEmpty() || AnswerWords.isGeneric(words)
                ? null
                : new AnswerLine(null, List.of(mark(code) + words), List.of(), "");
    }

    /** The same answer with the message of an exception that a line reports, if it has no message itself. */
    AnswerLine withMessage(ScoredLine line) {
        String said = message.isEmpty() ? withoutFields(line.said()) : "";
        PrintedCode printed = PrintedCode.of(said);
        boolean told = line.exception() != null || printed != null;
        return !told || said.isEmpty() || AnswerWords.isBareStatus(said)
                ? this
                : new AnswerLine(status, codes, general, withoutAddress(printed == null ? said : printed.message()));
    }

    private static String mark(String code) {
        boolean named = Character.isUpperCase(code.charAt(0)) && (code.endsWith("Error") || code.endsWith("Exception"));
        return code.contains("://") ? PROBLEM : named ? CLASS : "";
    }

    /** An answer with a code that is printed beside its message. */
    private static AnswerLine told(@Nullable String status, PrintedCode printed) {
        List<String> codes = new ArrayList<>();
        List<String> general = new ArrayList<>();
        add(printed.code(), codes, general);
        return new AnswerLine(status, codes, general, withoutFields(printed.message()));
    }

    /** Adds a code to those that tell causes apart, or to those that only repeat the status. */
    private static void add(String code, List<String> codes, List<String> general) {
        String words = AnswerWords.of(code);
        boolean generic = AnswerWords.isGeneric(words);
        (generic ? general : codes).add(generic ? words : mark(code) + words);
    }

    /** An answer with a code, which is a general one if it only repeats the status. */
    private static AnswerLine coded(String code, String message) {
        List<String> words = List.of(AnswerWords.of(code));
        boolean general = AnswerWords.isGeneric(words.get(0));
        return new AnswerLine(null, general ? List.of() : words, general ? words : List.of(), message);
    }

    /** The message of a line with the field of an answer that has it; empty for another line. */
    static String fieldMessage(String line) {
        Matcher field = FIELD.matcher(line);
        boolean told = field.matches() && !"code status".contains(field.group(1).toLowerCase(Locale.ROOT));
        return told ? field.group(2) : "";
    }

    /** The answer with a status that a message of an SDK repeats; without the fields in parentheses behind it. */
    static AnswerLine ofMessage(@Nullable String status, String message) {
        String text = withoutFields(message.substring(0, Math.min(message.length(), MAX_CHARS)));
        Matcher number = STATUS.matcher(text);
        String rest = number.lookingAt() && number.end() < text.length() ? text.substring(number.end()) : text;
        return new AnswerLine(
                status, List.of(), List.of(), AnswerWords.isBesideStatus(rest) ? "" : withoutAddress(rest));
    }

    /** The answer of which only a text is known. */
    static AnswerLine ofText(String text) {
        return new AnswerLine(null, List.of(), List.of(), withoutAddress(text));
    }

    private static String withoutAddress(String message) {
        boolean client = message.startsWith("Client Error: ") || message.startsWith("Server Error: ");
        String text = client ? message.substring(14) : message;
        boolean told = text.contains("://") || text.contains(" for url") || text.indexOf(')') >= 0;
        return told ? ADDRESS.matcher(text).replaceFirst("") : text;
    }

    private static String withoutFields(String message) {
        return FIELDS.matcher(message).replaceAll("");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable Matcher matcher(String line, long letters) {
        if (line.startsWith("error") && !line.startsWith(" (", 5)) {
            return null;
        }
        if (line.startsWith("HTTP ") || line.startsWith("error")) {
            Matcher matcher = LINE.matcher(line);
            return matcher.matches() && (matcher.group("status") != null || matcher.group("codes") != null)
                    ? matcher
                    : null;
        }
        Matcher id = ERROR_ID.matcher(line, letters);
        if (id != null) {
            return id.matches() ? id : null;
        }
        Matcher known = line.length() <= MAX_CHARS ? LiteralPattern.first(SDK, line, letters) : null;
        return known == null && AnswerWords.hasStatus(line)
                ? LiteralPattern.first(THROWN_STATUS, line, letters)
                : known;
    }

    /** The answer that an SDK reports as an exception or with a code, or null. */
    static @Nullable AnswerLine ofRequest(String line, @Nullable ExceptionClass exception) {
        String whole = exception != null && exception.name().equals("Error") ? exception.message() : line;
        String text = whole.substring(0, Math.min(whole.length(), MAX_CHARS));
        List<String> codes = new ArrayList<>();
        Matcher named = IDENTIFIER.matcher(text);
        while (named.find() && codes.size() < 2) {
            codes.add(AnswerWords.of(named.group(1)));
        }
        String said = exception == null ? "" : withoutAddress(exception.message());
        String thrown = said.startsWith(LABEL) ? said.substring(LABEL.length()) : said;
        AnswerLine record = record(text);
        if (record != null) {
            return record;
        }
        int number = AnswerWords.isBareStatus(thrown) ? StructuredError.status(thrown, 0, thrown.length()) : -1;
        if (number >= 0) {
            return new AnswerLine(thrown.substring(number, number + 3), List.of(), List.of(), "");
        }
        Matcher bracketed = BRACKETED.matcher(text);
        if (bracketed.matches()) {
            return coded(bracketed.group(1), bracketed.group(2));
        }
        Matcher plain = PLAIN.matcher(text);
        if (plain.matches()) {
            PrintedCode printed = PrintedCode.of(plain.group(2));
            return printed == null
                    ? new AnswerLine(plain.group(1), List.of(), List.of(), plain.group(2))
                    : told(plain.group(1), printed);
        }
        String status = text.length() > 4 && text.charAt(3) == ' ' && StructuredError.isStatus(text, 0)
                ? text.substring(0, 3)
                : null;
        PrintedCode behind = status == null ? null : PrintedCode.of(text.substring(4));
        if (behind != null) {
            return told(status, behind);
        }
        String told =
                text.startsWith("HTTP ") ? AnswerWords.statusOf(text.substring(Math.min(text.length(), 9))) : null;
        if (told != null && text.startsWith(told + ' ', 5)) {
            return new AnswerLine(told, List.of(), List.of(), "");
        }
        Matcher quoted = QUOTED.matcher(text);
        if (text.contains(" error '") && quoted.matches()) {
            return new AnswerLine(quoted.group(1), List.of(), List.of(), "");
        }
        codes.removeIf(AnswerWords::isGeneric);
        if (text.startsWith("error: ")) {
            return new AnswerLine(null, List.of(), List.of(), text.substring(7));
        }
        PrintedCode printed = PrintedCode.of(exception == null ? MessagePrefixes.withoutWords(text) : thrown);
        if (printed != null) {
            return told(null, printed);
        }
        Matcher vendor = VENDOR.matcher(exception == null ? text : exception.message());
        if (vendor.lookingAt()) {
            return new AnswerLine(null, List.of(AnswerWords.of(vendor.group(1))), List.of(), text);
        }
        if (exception == null) {
            return codes.isEmpty() ? null : new AnswerLine(null, codes, List.of(), text);
        }
        String words = AnswerWords.of(exception.name());
        List<String> general = new ArrayList<>();
        if (AnswerWords.isCause(words)) {
            (AnswerWords.isGeneric(words) ? general : codes).add(AnswerWords.isGeneric(words) ? words : THROWN + words);
        }
        return new AnswerLine(null, codes, general, withoutAddress(withoutFields(thrown)));
    }

    /** The answer that a program prints as an object of its language: {@code Name(code=404, message=No such x)}. */
    private static @Nullable AnswerLine record(String text) {
        boolean told = (text.indexOf('(') >= 0 || text.indexOf(", ") > 0)
                && (text.contains("essage") || text.contains("etail"));
        Matcher message = told ? RECORD_MESSAGE.matcher(text) : null;
        if (message == null || !message.find()) {
            return null;
        }
        List<String> codes = new ArrayList<>();
        List<String> general = new ArrayList<>();
        String status = null;
        Matcher code = RECORD_CODE.matcher(text);
        while (code.find()) {
            String words = AnswerWords.of(code.group(1));
            if (code.group(1).matches("[45]\\d\\d")) {
                status = code.group(1);
            } else if (!words.isEmpty() && !code.group(1).equals("None")) {
                (AnswerWords.isGeneric(words) ? general : codes).add(words);
            }
        }
        boolean any = status != null || !codes.isEmpty() || !general.isEmpty();
        return any ? new AnswerLine(status, codes, general, message.group(1)) : null;
    }
}
