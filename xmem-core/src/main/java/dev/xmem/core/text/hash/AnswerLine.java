package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line that reports the error of a structured answer: {@code HTTP 404 (index_not_found_exception): no such index}.
 *
 * @param codes the codes of the answer that tell causes apart, as words joined by hyphens; the first is the most
 *     specific
 * @param general the other codes, which only repeat the status
 */
record AnswerLine(@Nullable String status, List<String> codes, List<String> general, String message) {
    private static final Pattern LINE = Pattern.compile(
            "(?:HTTP (?<status>[45]\\d\\d)|error)(?: \\((?<codes>[\\w.:/ ,#-]{2,300})\\))?:(?: (?<message>.*))?");

    /** The line of PowerShell that has the id of an error, which is the same in all languages. */
    private static final Pattern ERROR_ID =
            Pattern.compile("\\+? *FullyQualifiedErrorId ?: (?<codes>\\w{2,80})(?:,.*)?(?<status>)(?<message>)");

    /** The forms in which SDKs print an answer. */
    private static final List<Pattern> SDK = List.of(
            Pattern.compile("[\\w.]{1,80}(?:Error|Exception)\\((?<status>[45]\\d\\d), ['\"](?<codes>[\\w.-]{2,80})['\"]"
                    + "(?:, ['\"](?<message>.*?)['\"])?\\)"),
            Pattern.compile(
                    "[^\\d]{0,80}\\b(?<status>[45]\\d\\d)\\b(?<message>.{0,400}) \\[type=(?<codes>[\\w.]{2,80})\\]"),
            Pattern.compile(".{0,80}?An error occurred \\((?<codes>[\\w.]{2,80})\\) when calling the \\w+ operation"
                    + "(?<status>)[^:]{0,80}: (?<message>.*)"),
            Pattern.compile(".{0,80}?\\bError (?<status>[45]\\d\\d): (?<message>.*?)(?:, (?<codes>[a-z]\\w{2,60}))?"),
            Pattern.compile(
                    "[\\w.]{0,80}?(?<codes>[A-Z]\\w{2,60}): (?:Error code: )?(?<status>[45]\\d\\d)\\b[ :-]{0,3}(?<message>.*)"));

    private static final Set<String> GENERAL = WordTables.list("answer-general");
    private static final int MAX_WORDS = 5;
    private static final int MAX_CHARS = 2_000;

    AnswerLine {
        codes = List.copyOf(codes);
        general = List.copyOf(general);
    }

    /** The answer that the line reports, or null. */
    static @Nullable AnswerLine of(String line) {
        Matcher matcher = matcher(line);
        if (matcher == null) {
            return null;
        }
        List<String> codes = new ArrayList<>();
        List<String> general = new ArrayList<>();
        String listed = matcher.group("codes");
        for (String code : listed == null ? new String[0] : listed.split(", ", -1)) {
            String words = words(code);
            if (!words.isEmpty()) {
                (isGeneric(words) ? general : codes).add(words);
            }
        }
        String message = matcher.group("message");
        return new AnswerLine(matcher.group("status"), codes, general, message == null ? "" : message);
    }

    /** Whether the line has a number that can be the status of a failed request. */
    private static boolean hasStatus(String line) {
        for (int i = 0; i + 2 < line.length(); i++) {
            boolean status = (line.charAt(i) == '4' || line.charAt(i) == '5')
                    && CharClasses.isDigit(line.charAt(i + 1))
                    && CharClasses.isDigit(line.charAt(i + 2));
            if (status && (i == 0 || !CharClasses.isDigit(line.charAt(i - 1)))) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Matcher matcher(String line) {
        if (line.startsWith("HTTP ") || line.startsWith("error")) {
            Matcher matcher = LINE.matcher(line);
            return matcher.matches() && (matcher.group("status") != null || matcher.group("codes") != null)
                    ? matcher
                    : null;
        }
        if (line.contains("FullyQualifiedErrorId")) {
            Matcher matcher = ERROR_ID.matcher(line);
            return matcher.matches() ? matcher : null;
        }
        boolean told = line.length() <= MAX_CHARS && (hasStatus(line) || line.contains(" when calling the "));
        for (Pattern sdk : told ? SDK : List.<Pattern>of()) {
            Matcher matcher = sdk.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        return null;
    }

    /** The answer that an SDK reports as an exception, or null. */
    static @Nullable AnswerLine of(@Nullable ExceptionClass exception) {
        return exception == null ? null : of("error (" + exception.name() + "): " + exception.message());
    }

    /** The message without a first part that names what failed: {@code messages.25: } or {@code Request req_1a2b: }. */
    static String reason(String message) {
        int colon = message.indexOf(": ");
        TokenizedLine tokens = TokenizedLine.of(message.substring(0, Math.max(colon, 0)));
        boolean names = false;
        for (int i = 0; i < tokens.size; i++) {
            names |= !tokens.isWord(i);
        }
        String reason = names && tokens.size <= 3 ? message.substring(colon + 2) : message;
        int hint = reason.indexOf("Did you mean");
        return hint > 0 ? reason.substring(0, hint) : reason;
    }

    /** Whether the text only repeats that a request failed, or the reason of an HTTP status. */
    static boolean isGeneric(String text) {
        for (String word : Slugs.kebab(text).split("-", -1)) {
            if (!word.isEmpty() && !GENERAL.contains(word)) {
                return false;
            }
        }
        return true;
    }

    private static String words(String code) {
        String name = code.substring(Math.max(code.lastIndexOf('/'), code.lastIndexOf('.')) + 1);
        List<String> words = new ArrayList<>(List.of(Slugs.kebab(name).split("-", -1)));
        while (words.size() > 1 && Set.of("error", "exception", "err", "fault").contains(words.get(words.size() - 1))) {
            words.remove(words.size() - 1);
        }
        return String.join("-", words.subList(0, Math.min(words.size(), MAX_WORDS)));
    }
}
