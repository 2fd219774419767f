package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.LenientJson.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The error in a structured answer: the codes, the status and the message that a JSON document has in the fields that
 * APIs use for them. {@link #flatten} puts one line in the place of each such document, so that an answer that is
 * printed with or without headers, as JSON, as a string inside of JSON or by an SDK is one text. Decision:
 * docs/adr/0051-structured-answers.md.
 */
final class StructuredError {
    private static final Set<String> CODE_KEYS = WordTables.list("answer-codes");
    private static final Set<String> MESSAGE_KEYS = WordTables.list("answer-messages");
    private static final Set<String> SKIPPED_KEYS = WordTables.list("answer-skipped");
    private static final Set<String> MARKS = WordTables.list("answer-marks");
    private static final Pattern CODE = Pattern.compile("[A-Za-z][\\w.:/#-]{1,79}|[1-9]\\d{3,9}");
    private static final Pattern STATUS = Pattern.compile("(?<![\\w.:-])([45]\\d\\d)(?![\\w.:-]\\w)");
    private static final Pattern HEADER = Pattern.compile("(?m)^[<*] |^[A-Za-z][\\w-]{0,60}: .*\\n?");
    private static final Pattern SCREAMING = Pattern.compile("\\b[A-Z]{2,}(?:_[A-Z]+)+\\b");
    private static final int MAX_DOCUMENTS = 16;
    private static final int MAX_DEPTH = 4;
    private static final int MAX_CODES = 4;
    private static final int MAX_MESSAGES = 16;
    private static final int MAX_MESSAGE = 600;
    private static final int MAX_PREFIX = 200;

    private final Set<String> codes = new LinkedHashSet<>();
    private final List<String> messages = new ArrayList<>();
    private @Nullable String status;
    private boolean marked;

    private StructuredError() {}

    /** The text with one line in the place of each structured answer, without the headers before it. */
    static String flatten(String text) {
        return text.indexOf('{') < 0 && text.indexOf("HTTP/") < 0 ? text : flatten(withoutHeaders(text), 0);
    }

    private static String flatten(String text, int depth) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int brace = document(text, 0);
        for (int i = 0; brace >= 0 && i < MAX_DOCUMENTS; i++) {
            StructuredError error = new StructuredError();
            int end = error.read(text, brace, depth);
            if (end < 0) {
                brace = document(text, brace + 1);
                continue;
            }
            int line = Math.max(from, text.lastIndexOf('\n', brace) + 1);
            out.append(text, from, line);
            error.readPrefix(text.substring(Math.max(line, brace - MAX_PREFIX), brace), out);
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

    /** The next brace that is followed by a quoted key, or -1. */
    private static int document(String text, int from) {
        for (int brace = text.indexOf('{', from); brace >= 0; brace = text.indexOf('{', brace + 1)) {
            int key = brace + 1;
            while (key < text.length() && text.charAt(key) <= ' ') {
                key++;
            }
            if (key < text.length() && "\"'\\".indexOf(text.charAt(key)) >= 0) {
                return brace;
            }
        }
        return -1;
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

    /**
     * Reads the document that begins at a brace.
     *
     * @return its end, or -1 if it is no structured answer
     */
    private int read(String text, int brace, int depth) {
        int key = brace + 1;
        while (key < text.length() && text.charAt(key) <= ' ') {
            key++;
        }
        boolean escaped = text.startsWith("\\\"", key);
        String source = escaped ? text.substring(brace).replace("\\\"", "\"").replace("\\\\", "\\") : text;
        LenientJson json = new LenientJson(source, escaped ? 0 : brace);
        json.next();
        object(json, "", depth);
        boolean error = tells() && (marked || status != null || !messages.isEmpty() && !codes.isEmpty());
        return !error ? -1 : escaped ? text.length() : json.position();
    }

    private boolean tells() {
        return !messages.isEmpty() || !codes.isEmpty();
    }

    private void object(LenientJson json, String parent, int nesting) {
        int inner = json.depth();
        String key = parent;
        Token token;
        while (json.depth() >= inner && (token = json.next()) != Token.END) {
            if (token == Token.KEY) {
                key = json.value().toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
            } else if (token == Token.OPEN && (SKIPPED_KEYS.contains(key) || key.equals("details") && tells())) {
                json.skip();
            } else if (token == Token.OPEN) {
                marked |= MARKS.contains(key);
                object(json, key, nesting);
            } else if (token == Token.STRING || token == Token.WORD) {
                value(key, json.value(), token == Token.STRING, nesting);
            }
        }
    }

    private void value(String key, String value, boolean string, int nesting) {
        String text = value.strip();
        if (SKIPPED_KEYS.contains(key) || text.isEmpty() || text.equals("null") || text.equals("None")) {
            return;
        }
        marked |= MARKS.contains(key) || key.equals("type") && text.equals("error");
        if (string && nesting < MAX_DEPTH && text.indexOf('{') >= 0 && nested(text, nesting)) {
            return;
        }
        if (STATUS.matcher(text).matches()) {
            status = status == null ? text : status;
            marked |= key.contains("code") || key.contains("status");
        } else if (string && text.indexOf(' ') >= 0 || MESSAGE_KEYS.contains(key) && !CODE_KEYS.contains(key)) {
            if (MESSAGE_KEYS.contains(key) && messages.size() < MAX_MESSAGES) {
                messages.add(text);
            }
        } else if (CODE_KEYS.contains(key) && CODE.matcher(text).matches() && codes.size() < MAX_CODES) {
            codes.add(text.substring(text.lastIndexOf('#') + 1));
        }
    }

    /** Reads the document in a string. */
    private boolean nested(String text, int nesting) {
        int brace = text.indexOf('{');
        StructuredError inner = new StructuredError();
        if (inner.read(text, brace, nesting + 1) < 0) {
            return false;
        }
        inner.readPrefix(text.substring(Math.max(0, brace - MAX_PREFIX), brace), new StringBuilder());
        marked = true;
        status = status == null ? inner.status : status;
        messages.addAll(inner.messages);
        codes.addAll(inner.codes);
        return true;
    }

    /** Reads the status, the code and the exception class before the document; keeps any other text as a line. */
    private void readPrefix(String prefix, StringBuilder out) {
        boolean told = Slugs.kebab(prefix).isEmpty();
        Matcher number = STATUS.matcher(prefix);
        if (number.find()) {
            status = status == null ? number.group(1) : status;
            told = true;
        }
        Matcher screaming = SCREAMING.matcher(prefix);
        if (screaming.find()) {
            codes.add(screaming.group());
            told = true;
        }
        ExceptionClass exception = ExceptionClass.of(prefix.strip());
        if (exception != null) {
            if (codes.isEmpty() && (messages.isEmpty() || AnswerLine.isCause(Slugs.kebab(exception.name())))) {
                codes.add(exception.name());
            }
            told = true;
        }
        if (!told) {
            out.append(prefix.stripTrailing()).append('\n');
        }
    }

    private void write(StringBuilder out) {
        out.append(status == null ? "error" : "HTTP " + status);
        if (!codes.isEmpty()) {
            out.append(" (").append(String.join(", ", codes)).append(')');
        }
        String message = messages.isEmpty() ? "" : messages.get(0);
        for (String other : messages) {
            if (AnswerLine.isGeneric(message)) {
                message = other;
            }
        }
        int cut = Math.min(message.length(), MAX_MESSAGE);
        cut -= cut > 0 && Character.isHighSurrogate(message.charAt(cut - 1)) ? 1 : 0;
        message = message.substring(0, cut);
        out.append(": ").append(message.replaceAll("\\s+", " ").strip());
    }
}
