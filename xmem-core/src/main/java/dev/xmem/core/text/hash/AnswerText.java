package dev.xmem.core.text.hash;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Finds structured answers in a text and puts one line in the place of each, so that an answer that is printed with or
 * without headers, as JSON, as XML, as a page, as a string inside of JSON or by an SDK is one text. Decision:
 * docs/adr/0059-answers-in-any-markup.md.
 */
final class AnswerText {
    /** What stands near the status that a client reports. */
    private static final List<String> WORDS =
            List.of("status", "http", "code", "error", "response", "returned", "exception: (");

    private static final Set<String> DUMP_KEYS = WordTables.list("answer-dump");
    private static final LiteralPattern HEADER = new LiteralPattern("(?m)^[<*] |^[A-Za-z][\\w-]{0,60}: .*\\n?");
    private static final LiteralPattern ENVELOPE =
            new LiteralPattern("\\s{0,20}[{]\\s{0,20}[\"']content[\"']\\s{0,20}:\\s{0,20}\\[");
    /** The reason of a status: words, not a code. */
    static final String REASON = "[A-Z](?:[A-Z]*|[a-z']+)(?: [A-Z]?[a-z]{1,20}){0,5}";

    /** What a client prints in front of an answer that is no document: words, the status, and its reason. */
    private static final LiteralPattern HEAD = new LiteralPattern("(?:[\\w.]{1,80}(?:Error|Exception): )?"
            + "((?:[A-Za-z]{1,20}:? ){0,7})[(]?([45]\\d\\d)[)]?"
            + "(?: [(]?" + REASON
            + "[)]?)?(?: from(?: [A-Z]{3,7})? \"?https?://\\S{1,400}?)?(?::| -)\\s{1,200}(?=\\S)");

    private static final String DUMP = "eaders: ";
    private static final int MAX_TOKENS = 12;
    private static final int MAX_DOCUMENTS = 16;
    private static final int MAX_NEAR = 50;

    private AnswerText() {}

    /**
     * The text with one line in the place of each structured answer, without the headers before it.
     *
     * @param answer whether the text is what a client of HTTP prints
     */
    static String flatten(String error, boolean answer) {
        String text = answer ? unwrapped(error) : error;
        if (text.indexOf('{') < 0 && text.indexOf("HTTP/") < 0 && text.indexOf("</") < 0) {
            return text;
        }
        String lines = envelope(text, answer);
        if (lines != null) {
            return answer ? flatten(lines, true) : lines;
        }
        return documents(withoutHeaders(withoutDumps(text)), answer);
    }

    /**
     * The answer without the quotes around it and without what a client prints in front of one that is no document:
     * {@code API call failed (404): 'no such shelf'} is {@code HTTP 404: no such shelf}.
     */
    private static String unwrapped(String text) {
        if (text.startsWith("{") || text.startsWith("HTTP/")) {
            return text;
        }
        String plain = unquoted(text);
        String inner = MessagePrefixes.withoutWords(plain);
        plain = inner.startsWith("HTTP ") || inner.startsWith("'") || inner.startsWith("\"") ? unquoted(inner) : plain;
        boolean read = plain.startsWith("HTTP ") && plain.startsWith(" (", 8);
        Matcher head = read || !AnswerWords.hasStatus(plain) ? null : HEAD.matcher(plain);
        if (head == null || !head.lookingAt() || !AnswerWords.isBare(head.group(1))) {
            return plain;
        }
        int brace = document(plain, 0);
        return brace >= 0 && brace <= StructuredError.MAX_MESSAGE
                ? plain
                : "HTTP " + head.group(2) + ": " + unquoted(plain.substring(head.end()));
    }

    /** What a string has inside that is the whole text. */
    private static String unquoted(String text) {
        String plain = text.strip();
        if (plain.length() < 3 || "\"'".indexOf(plain.charAt(0)) < 0) {
            return text;
        }
        LenientJson json = new LenientJson(plain, 0);
        boolean whole = json.next() == LenientJson.Token.STRING && json.position() == plain.length();
        return whole && !json.value().isBlank() ? json.value().strip() : text;
    }

    /** The text of several lines that an MCP server answers with, if it has no document; or null. */
    private static @Nullable String envelope(String text, boolean answer) {
        if (!text.contains("content") || !ENVELOPE.matcher(text).lookingAt()) {
            return null;
        }
        LenientJson json = new LenientJson(text, text.indexOf('{'));
        String key = "";
        for (int i = 0; i < MAX_TOKENS; i++) {
            LenientJson.Token token = json.next();
            if (token == LenientJson.Token.KEY) {
                key = json.value();
            } else if (token == LenientJson.Token.STRING && key.equals("text")) {
                String inner = json.value();
                return !answer && inner.indexOf('\n') < 0 || document(inner, 0) >= 0 ? null : inner;
            }
        }
        return null;
    }

    private static String documents(String text, boolean answer) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int brace = document(text, 0);
        if (brace < 0) {
            return text.startsWith("HTTP/") ? plain(text) : markup(text);
        }
        int head = StructuredError.status(text, 0, Math.min(text.length(), StructuredError.MAX_PREFIX));
        boolean failed = head >= 0
                && (text.lastIndexOf("HTTP/", head) >= 0
                        || text.lastIndexOf('\n', brace) >= head + 3
                                && text.substring(0, brace).strip().indexOf('\n') < 0);
        String status = failed ? text.substring(head, head + 3) : null;
        String reported = failed ? null : reported(text);
        for (int i = 0; brace >= 0 && i < MAX_DOCUMENTS; i++) {
            int start = Math.max(from, text.lastIndexOf('\n', brace) + 1);
            boolean answered = failed
                    || answer
                    || reported != null
                    || StructuredError.status(text, Math.max(start, brace - StructuredError.MAX_PREFIX), brace) >= 0;
            StructuredError error = new StructuredError(
                    answered || from == 0 && text.substring(0, brace).isBlank(), answered);
            int end = error.read(text, brace, 0);
            if (end < 0) {
                brace = document(text, brace + 1);
                continue;
            }
            out.append(text, from, start);
            String prefix = text.substring(Math.max(start, brace - StructuredError.MAX_PREFIX), brace);
            if (!answer && HostNames.hasLibrary(prefix)) {
                out.append(prefix.stripTrailing()).append('\n');
            }
            error.readPrefix(prefix, out);
            error.orStatus(status == null ? reported : status);
            error.write(out);
            from = end;
            while (from < text.length() && ")]'\". \t".indexOf(text.charAt(from)) >= 0) {
                from++;
            }
            if (from < text.length() && text.charAt(from) != '\n') {
                out.append('\n');
            }
            brace = document(text, from);
        }
        return from == 0 ? text : out.append(text, from, text.length()).toString();
    }

    /**
     * The status that a client reports anywhere in a text: a number near a word for it. Or null. Most of a text is not
     * looked at: where the third digit of a status would be, three more characters cannot be one.
     */
    private static @Nullable String reported(String text) {
        int last = 2;
        while (last < text.length()) {
            if (!CharClasses.isDigit(text.charAt(last))) {
                last += 3;
                continue;
            }
            int i = last++ - 2;
            char c = text.charAt(i);
            if ((c == '4' || c == '5') && isStatus(text, i) && isNear(text, i)) {
                return text.substring(i, i + 3);
            }
        }
        return null;
    }

    private static boolean isStatus(String text, int at) {
        return CharClasses.isDigit(text.charAt(at + 1))
                && CharClasses.isDigit(text.charAt(at + 2))
                && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
                && (at + 3 == text.length()
                        || !Character.isLetterOrDigit(text.charAt(at + 3))
                                && !(".:".indexOf(text.charAt(at + 3)) >= 0
                                        && at + 4 < text.length()
                                        && CharClasses.isDigit(text.charAt(at + 4))));
    }

    /** Whether a word for a status stands before a position, in the same line and outside of a document. */
    private static boolean isNear(String text, int at) {
        int from = Math.max(0, at - MAX_NEAR);
        for (int i = at - 1; i >= from; i--) {
            if ("\n{}".indexOf(text.charAt(i)) >= 0) {
                from = i + 1;
            }
        }
        String before = text.substring(from, at).toLowerCase(Locale.ROOT);
        for (String word : WORDS) {
            if (before.contains(word)) {
                return true;
            }
        }
        return false;
    }

    /** The text with one line in the place of a status line and a body of one line. */
    private static String plain(String text) {
        int end = text.indexOf('\n');
        String body = end < 0 ? "" : text.substring(end).strip();
        int number = StructuredError.status(text, 0, end < 0 ? text.length() : end);
        boolean line = !body.isEmpty() && body.length() <= StructuredError.MAX_MESSAGE && body.indexOf('\n') < 0;
        boolean told = body.startsWith("HTTP ") || body.indexOf('<') >= 0;
        return line && !told && number >= 0 ? "HTTP " + text.substring(number, number + 3) + ": " + body : markup(text);
    }

    /** The next brace that is followed by a quoted key, or -1. */
    private static int document(String text, int from) {
        for (int brace = text.indexOf('{', from); brace >= 0; brace = text.indexOf('{', brace + 1)) {
            int key = key(text, brace);
            if (key < text.length() && ("\"'\\".indexOf(text.charAt(key)) >= 0 || isBareKey(text, key))) {
                return brace;
            }
        }
        return -1;
    }

    /** Where the first key behind a brace begins; blanks may be escaped. */
    static int key(String text, int brace) {
        int key = brace + 1;
        while (key < text.length()
                && (text.charAt(key) <= ' ' || text.startsWith("\\n", key) || text.startsWith("\\t", key))) {
            key += text.charAt(key) == '\\' ? 2 : 1;
        }
        return key;
    }

    /** Whether a key without quotes that answers have begins at a position. */
    private static boolean isBareKey(String text, int from) {
        int end = from;
        while (end < text.length() && end - from < 20 && CharClasses.isLetter(text.charAt(end))) {
            end++;
        }
        String key = text.substring(from, end).toLowerCase(Locale.ROOT);
        return text.startsWith(": ", end)
                && (StructuredError.CODE_KEYS.contains(key)
                        || StructuredError.MESSAGE_KEYS.contains(key)
                        || DUMP_KEYS.contains(key));
    }

    /** Removes the header lines after a status line. */
    private static String withoutHeaders(String text) {
        int at = text.indexOf("HTTP/");
        if (at < 0 || at > 0 && text.charAt(at - 1) != '\n' && text.charAt(at - 1) != ' ') {
            return text;
        }
        int end = text.indexOf('\n', at);
        int from = end + 1;
        while (end >= 0 && from < text.length()) {
            int next = text.indexOf('\n', from);
            String line = text.substring(from, next < 0 ? text.length() : next).strip();
            if (!line.isEmpty() && !HEADER.matcher(line).lookingAt()) {
                break;
            }
            from = next < 0 ? text.length() : next + 1;
            if (line.isEmpty()) {
                break;
            }
        }
        return end < 0 ? text : text.substring(0, end + 1) + text.substring(from);
    }

    /** Removes the lines in which a client prints only headers as an object: {@code response headers: {'Date': …}}. */
    private static String withoutDumps(String text) {
        @Nullable StringBuilder out = null;
        int copied = 0;
        int label = text.indexOf(DUMP);
        for (int i = 0; label >= 0 && i < MAX_DOCUMENTS; i++, label = text.indexOf(DUMP, label + 1)) {
            int line = Math.max(copied, text.lastIndexOf('\n', label) + 1);
            int end = endOfDump(text, line, label);
            if (end > 0) {
                out = out == null ? new StringBuilder(text.length()) : out;
                out.append(text, copied, line);
                copied = end;
                label = end - 1;
            }
        }
        String rest =
                out == null ? text : out.append(text, copied, text.length()).toString();
        return rest.isBlank() ? text : rest;
    }

    /** The beginning of the line behind one that has nothing but a label and a whole object; or -1. */
    private static int endOfDump(String text, int line, int label) {
        int brace = text.indexOf('{', label);
        if (brace < 0 || brace - line > MAX_NEAR || text.lastIndexOf('\n', brace) >= line) {
            return -1;
        }
        for (int i = line; i < brace; i++) {
            if (!CharClasses.isLetter(text.charAt(i)) && ":( ".indexOf(text.charAt(i)) < 0) {
                return -1;
            }
        }
        LenientJson json = new LenientJson(text, brace);
        json.next();
        json.skip();
        int end = json.position();
        while (json.depth() == 0 && end < text.length() && text.charAt(end) != '\n') {
            if (Character.isLetterOrDigit(text.charAt(end++))) {
                return -1;
            }
        }
        return json.depth() > 0 ? -1 : Math.min(end + 1, text.length());
    }

    /** The text with one line in the place of an answer in XML or HTML. */
    private static String markup(String text) {
        int[] place = Markup.document(text);
        if (place == null) {
            return text;
        }
        StructuredError error = new StructuredError(true, true);
        if (!error.readMarkup(text.substring(place[0], place[1]))) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        int line = text.lastIndexOf('\n', place[0]) + 1;
        int number = StructuredError.status(text, 0, Math.min(line, StructuredError.MAX_MESSAGE));
        String status = number < 0 ? null : text.substring(number, number + 3);
        out.append(text, 0, line);
        error.readPrefix(text.substring(Math.max(line, place[0] - StructuredError.MAX_PREFIX), place[0]), out);
        error.orStatus(status == null ? reported(text) : status);
        error.write(out);
        String rest = text.substring(place[1]).replaceFirst("^[\\])\"'.]+", "");
        return out.append(rest.isEmpty() || rest.charAt(0) == '\n' ? "" : "\n")
                .append(rest)
                .toString();
    }

    static String unescaped(String text) {
        return text.replace("\\\"", "\"")
                .replace("\\n", " ")
                .replace("\\t", " ")
                .replace("\\\\", "\\");
    }
}
