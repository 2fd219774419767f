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
    private static final Set<String> WEAK_KEYS = WordTables.list("answer-weak");
    private static final Set<String> DUMP_KEYS = WordTables.list("answer-dump");
    private static final Set<String> LITERALS = WordTables.list("answer-literals");
    private static final Set<String> ISSUE_KEYS = WordTables.list("answer-issue");
    private static final Pattern CODE = Pattern.compile("[A-Za-z][\\w.:/#-]{1,79}|[1-9]\\d{3,9}|[0-9A-Z]{5}");
    private static final Pattern STATUS = Pattern.compile("(?<![\\w.:-])([45]\\d\\d)(?![\\w.:-]\\w)");
    private static final Pattern REPORTED = Pattern.compile(
            "(?:[Ss]tatus|HTTP|[Cc]ode|[Ee]rror|[Rr]esponse|returned)[^\\n{}]{0,40}?\\b([45]\\d\\d)\\b(?![.:]\\d)"
                    + "|\\b([45]\\d\\d) (?:Client|Server) Error");
    private static final Pattern HEADER = Pattern.compile("(?m)^[<*] |^[A-Za-z][\\w-]{0,60}: .*\\n?");
    private static final Pattern SCREAMING = Pattern.compile("\\b[A-Z]{2,}(?:_[A-Z]+)+\\b");
    private static final Pattern NAME = Pattern.compile("[a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+");

    /** Fields with a name, which is a code if it is in capitals. */
    private static final Set<String> NAME_KEYS = Set.of("name", "category", "issue", "tag", ".tag");

    /** The types of the content in an answer of an MCP server. */
    private static final Set<String> CONTENT_TYPES = Set.of("text", "image", "audio", "resource", "resource_link");

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

    /** Whether a field was read that only errors have. */
    private boolean strong;

    /** Whether the document is an issue of a validator, whose message says more than its codes. */
    private boolean issue;

    /** What the fields with details have, which count if nothing else tells the cause. */
    private final List<StructuredError> details = new ArrayList<>();

    private boolean inDetails;

    /** The first text of several words, in whatever field. */
    private String sentence = "";

    /** Whether the first message is a detail of another. */
    private boolean weak;

    /** Whether the text around the document reports a failed request, and whether it has the status of the answer. */
    private final boolean expected;

    private final boolean failed;

    private StructuredError(boolean expected, boolean failed) {
        this.expected = expected;
        this.failed = failed;
    }

    /**
     * The text with one line in the place of each structured answer, without the headers before it.
     *
     * @param answer whether the text is what a client of HTTP prints
     */
    static String flatten(String text, boolean answer) {
        if (text.indexOf('{') < 0
                && text.indexOf("HTTP/") < 0
                && text.indexOf("</") < 0) {
            return text;
        }
        return documents(withoutHeaders(text), answer);
    }

    private static String documents(String text, boolean answer) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int brace = document(text, 0);
        if (brace < 0) {
            return text.startsWith("HTTP/") ? plain(text) : markup(text);
        }
        Matcher head = STATUS.matcher(text).region(0, Math.min(text.length(), MAX_PREFIX));
        boolean failed = head.find()
                && (text.lastIndexOf("HTTP/", head.start()) >= 0
                        || text.lastIndexOf('\n', brace) >= head.end()
                                && text.substring(0, brace).strip().indexOf('\n') < 0);
        String status = failed ? head.group(1) : null;
        String reported = reported(text);
        for (int i = 0; brace >= 0 && i < MAX_DOCUMENTS; i++) {
            int start = Math.max(from, text.lastIndexOf('\n', brace) + 1);
            boolean told = STATUS.matcher(text)
                    .region(Math.max(start, brace - MAX_PREFIX), brace)
                    .find();
            boolean answered = failed || told || answer || reported != null;
            StructuredError error = new StructuredError(
                    answered || from == 0 && text.substring(0, brace).isBlank(), answered);
            int end = error.read(text, brace, 0);
            if (end < 0) {
                brace = document(text, brace + 1);
                continue;
            }
            out.append(text, from, start);
            error.readPrefix(text.substring(Math.max(start, brace - MAX_PREFIX), brace), out);
            error.status = error.status == null ? status : error.status;
            error.status = error.status == null ? reported : error.status;
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

    /** The status that a client reports anywhere in a text, or null. */
    private static @Nullable String reported(String text) {
        Matcher told = REPORTED.matcher(text);
        return !told.find() ? null : told.group(1) == null ? told.group(2) : told.group(1);
    }

    /** The text with one line in the place of a status line and a body of one line. */
    private static String plain(String text) {
        int end = text.indexOf('\n');
        String body = end < 0 ? "" : text.substring(end).strip();
        Matcher number = STATUS.matcher(end < 0 ? text : text.substring(0, end));
        boolean line = !body.isEmpty() && body.length() <= MAX_MESSAGE && body.indexOf('\n') < 0;
        boolean told = body.startsWith("HTTP ") || body.indexOf('<') >= 0;
        return line && !told && number.find() ? "HTTP " + number.group(1) + ": " + body : markup(text);
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
    private static int key(String text, int brace) {
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
                && (CODE_KEYS.contains(key) || MESSAGE_KEYS.contains(key) || DUMP_KEYS.contains(key));
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
        int key = key(text, brace);
        boolean escaped = text.startsWith("\\\"", key);
        String source = escaped ? unescaped(text.substring(brace)) : text;
        LenientJson json = new LenientJson(source, escaped ? 0 : brace);
        json.next();
        object(json, "", depth);
        readDetails();
        if (!tells() && failed && !sentence.isEmpty()) {
            messages.add(sentence);
        }
        boolean error = tells()
                && (expected && strong
                        || failed
                        || marked
                        || status != null
                        || strong && !messages.isEmpty() && !codes.isEmpty());
        return !error ? -1 : escaped ? text.length() : json.position();
    }

    private static String unescaped(String text) {
        return text.replace("\\\"", "\"").replace("\\n", " ").replace("\\t", " ").replace("\\\\", "\\");
    }

    /** Adds what the details say, if the messages and codes only repeat that a request failed. */
    private void readDetails() {
        boolean said = messages.stream().anyMatch(message -> !AnswerLine.isGeneric(message));
        for (StructuredError detail : details) {
            if (!said && codes.stream().allMatch(AnswerLine::isGeneric)) {
                codes.addAll(detail.codes);
                messages.addAll(detail.messages);
            }
            marked |= detail.marked;
            strong |= detail.strong;
        }
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
                issue |= ISSUE_KEYS.contains(key);
                strong |= !WEAK_KEYS.contains(key) && (CODE_KEYS.contains(key) || MESSAGE_KEYS.contains(key));
            } else if (token == Token.OPEN && SKIPPED_KEYS.contains(key)) {
                json.skip();
            } else if (token == Token.OPEN && key.startsWith("detail") && !inDetails) {
                marked |= MARKS.contains(key);
                StructuredError detail = new StructuredError(expected, failed);
                detail.inDetails = true;
                detail.object(json, key, nesting);
                details.add(detail);
            } else if (token == Token.OPEN) {
                marked |= MARKS.contains(key);
                object(json, parent.equals("errors") && !MARKS.contains(key) ? parent : key, nesting);
            } else if (token == Token.STRING || token == Token.WORD) {
                boolean field = parent.equals("errors") && json.value().indexOf(' ') > 0 && !SKIPPED_KEYS.contains(key);
                value(
                        field && !CODE_KEYS.contains(key) ? "message" : key,
                        json.value(),
                        token == Token.STRING,
                        nesting);
            }
        }
    }

    private void value(String key, String value, boolean string, int nesting) {
        String text = value.strip();
        marked |= MARKS.contains(key) && !text.isEmpty();
        if (key.equals("received") && text.equals("undefined")) {
            messages.add(0, "received undefined");
        }
        boolean content = key.equals("type") && CONTENT_TYPES.contains(text);
        if (content || SKIPPED_KEYS.contains(key) || text.isEmpty() || !string && LITERALS.contains(text)) {
            return;
        }
        marked |= key.equals("type") && text.equals("error");
        sentence = sentence.isEmpty() && text.indexOf(' ') > 0 ? text : sentence;
        if (string && nesting < MAX_DEPTH && text.indexOf('{') >= 0 && nested(text, nesting)) {
            return;
        }
        if (text.startsWith("<") && nesting < MAX_DEPTH && readMarkup(text)) {
            marked = true;
        } else if (STATUS.matcher(text).matches()) {
            status = status == null ? text : status;
            marked |= key.contains("code") || key.contains("status");
        } else if (status == null && CODE_KEYS.contains(key) && text.indexOf(' ') > 0 && reason(text)) {
            marked |= key.contains("code");
        } else if (string && text.indexOf(' ') >= 0 || MESSAGE_KEYS.contains(key) && !CODE_KEYS.contains(key)) {
            if ((MESSAGE_KEYS.contains(key) || key.equals("body") && status != null)
                    && messages.size() < MAX_MESSAGES) {
                messages.add(weak && !key.startsWith("detail") ? 0 : messages.size(), text);
                weak = key.startsWith("detail") && messages.size() == 1;
            }
        } else if (isCode(key, text) && codes.size() < MAX_CODES) {
            codes.add(text.substring(text.lastIndexOf('#') + 1));
        } else if (key.equals("body") && string && status != null && messages.isEmpty()) {
            messages.add(text);
        }
    }

    /** Takes a text that is the reason of a status, such as {@code not found}, for the status. */
    private boolean reason(String text) {
        status = AnswerLine.statusOf(text);
        return status != null;
    }

    private static boolean isCode(String key, String text) {
        if (CODE_KEYS.contains(key)) {
            return CODE.matcher(text).matches() && !text.startsWith("about:") && !text.contains("/rfc");
        }
        return NAME_KEYS.contains(key) && SCREAMING.matcher(text).matches() || key.equals("id") && isCause(text);
    }

    /** Whether an id is the name of a cause, such as {@code not_found}. */
    private static boolean isCause(String id) {
        String words = Slugs.kebab(id);
        return NAME.matcher(id).matches()
                && (words.indexOf('-') > 0 && AnswerLine.isGeneric(words) || AnswerLine.isCause(words));
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
        Matcher number = STATUS.matcher(text).region(0, Math.min(line, MAX_MESSAGE));
        String status = number.find() ? number.group(1) : null;
        out.append(text, 0, line);
        error.readPrefix(text.substring(Math.max(line, place[0] - MAX_PREFIX), place[0]), out);
        error.status = error.status == null ? status : error.status;
        error.status = error.status == null ? reported(text) : error.status;
        error.write(out);
        String rest = text.substring(place[1]).replaceFirst("^[\\])\"'.]+", "");
        return out.append(rest.isEmpty() || rest.charAt(0) == '\n' ? "" : "\n").append(rest).toString();
    }

    /** Reads a page or a document in XML; false if it does not report an error. */
    private boolean readMarkup(String text) {
        String page = Markup.page(text);
        if (page != null) {
            messages.add(page);
            return true;
        }
        Markup.read(text, this);
        return marked && tells();
    }

    /** Takes a field of a document in XML. */
    void field(String key, String value) {
        strong |= !WEAK_KEYS.contains(key) && (CODE_KEYS.contains(key) || MESSAGE_KEYS.contains(key));
        value(key, value, true, MAX_DEPTH);
    }

    /** Notes that a document in XML has an element of this name. */
    void mark(String name) {
        marked |= MARKS.contains(name) || name.endsWith("error") || name.endsWith("errorresponse");
    }

    /** Reads the document in a string. */
    private boolean nested(String text, int nesting) {
        int brace = text.indexOf('{');
        StructuredError inner = new StructuredError(expected || status != null, failed || status != null);
        if (inner.read(text, brace, nesting + 1) < 0) {
            return false;
        }
        inner.readPrefix(text.substring(Math.max(0, brace - MAX_PREFIX), brace), new StringBuilder());
        marked = true;
        status = status == null ? inner.status : status;
        messages.addAll(inner.messages);
        strong |= inner.strong;
        issue |= inner.issue;
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
        String message = messages.isEmpty() ? "" : messages.get(0);
        for (String other : messages) {
            if (AnswerLine.isGeneric(message) || AnswerLine.statusOf(message) != null) {
                message = other;
            }
        }
        int cut = Math.min(message.length(), MAX_MESSAGE);
        cut -= cut > 0 && Character.isHighSurrogate(message.charAt(cut - 1)) ? 1 : 0;
        message = message.substring(0, cut);
        boolean checked = issue && AnswerLine.isCause(message);
        if (!codes.isEmpty() && !checked) {
            out.append(" (").append(String.join(", ", codes)).append(')');
        }
        out.append(": ").append(message.replaceAll("\\s+", " ").strip());
    }
}
