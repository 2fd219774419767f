package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.LenientJson.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * The error in a structured answer: the codes, the status and the message that a JSON or XML document has in the fields
 * that APIs use for them. {@link AnswerText} finds such documents. Decision: docs/adr/0051-structured-answers.md.
 */
final class StructuredError {
    static final Set<String> CODE_KEYS = WordTables.list("answer-codes");
    static final Set<String> MESSAGE_KEYS = WordTables.list("answer-messages");
    private static final Set<String> LITERALS = WordTables.list("answer-literals");

    /** What the key of a field can be. */
    private static final int IS_CODE = 1;

    private static final int IS_MESSAGE = 2;
    private static final int IS_SKIPPED = 4;
    private static final int IS_MARK = 8;
    private static final int IS_STRONG = 16;
    private static final int IS_ISSUE = 32;
    private static final Map<String, Integer> KEYS = new HashMap<>();

    static {
        addKeys(CODE_KEYS, IS_CODE | IS_STRONG);
        addKeys(MESSAGE_KEYS, IS_MESSAGE | IS_STRONG);
        for (String key : WordTables.list("answer-weak")) {
            KEYS.put(key, kinds(key) & ~IS_STRONG);
        }
        addKeys(WordTables.list("answer-skipped"), IS_SKIPPED);
        addKeys(WordTables.list("answer-marks"), IS_MARK);
        addKeys(WordTables.list("answer-issue"), IS_ISSUE);
    }

    private static final LiteralPattern CODE = new LiteralPattern("[A-Za-z][\\w.:/#-]{1,79}|[1-9]\\d{3,9}|[0-9A-Z]{5}");
    private static final LiteralPattern BLANKS = new LiteralPattern("\\s+");
    private static final LiteralPattern SCREAMING = new LiteralPattern("\\b[A-Z]{2,}(?:_[A-Z]+)+\\b");
    private static final LiteralPattern NAME = new LiteralPattern("[a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+");

    /** What a name is that is a code: in capitals, or of a class. */
    private static final LiteralPattern CODE_NAME =
            new LiteralPattern(SCREAMING.expression + "|(?:[A-Z][a-z]+){2,5}(?:Error|Exception)|[A-Z][a-z]+_[A-Z]\\w+");

    /** Fields with a name, which may be a code. */
    private static final Set<String> NAME_KEYS = Set.of("name", "category", "issue", "tag", ".tag");

    /** The types of the content in an answer of an MCP server. */
    private static final Set<String> CONTENT_TYPES = Set.of("text", "image", "audio", "resource", "resource_link");

    /** The place of a message that is told if there is no other. */
    private static final int LAST = 1_000;

    private static final int MAX_DEPTH = 4;
    private static final int MAX_CODES = 4;
    private static final int MAX_MESSAGES = 16;
    static final int MAX_MESSAGE = 600;
    static final int MAX_PREFIX = 200;

    private final List<String> codes = new ArrayList<>();

    /** How many of the codes are of fields whose key says so; they come first, whatever the order of the fields. */
    private int coded;

    private final List<String> messages = new ArrayList<>();

    /** Where each message belongs, see {@link #place}. */
    private final List<Integer> places = new ArrayList<>();

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

    /** The number of objects and arrays around the field that is read. */
    private int depth;

    /** Whether the text around the document reports a failed request, and whether it has the status of the answer. */
    private final boolean expected;

    private final boolean failed;

    StructuredError(boolean expected, boolean failed) {
        this.expected = expected;
        this.failed = failed;
    }

    /**
     * Reads the document that begins at a brace.
     *
     * @return its end, or -1 if it is no structured answer
     */
    int read(String text, int brace, int depth) {
        int key = AnswerText.key(text, brace);
        boolean escaped = text.startsWith("\\\"", key);
        String source = escaped ? AnswerText.unescaped(text.substring(brace)) : text;
        LenientJson json = new LenientJson(source, escaped ? 0 : brace);
        json.next();
        object(json, "", depth);
        readDetails();
        if (!tells() && failed && !sentence.isEmpty()) {
            add(sentence, LAST);
        }
        boolean error = tells()
                && (expected && strong
                        || failed
                        || marked
                        || status != null
                        || strong && !messages.isEmpty() && !codes.isEmpty());
        return !error ? -1 : escaped ? text.length() : json.position();
    }

    private static void addKeys(Set<String> keys, int kinds) {
        for (String key : keys) {
            KEYS.put(key, kinds(key) | kinds);
        }
    }

    private static int kinds(String key) {
        return KEYS.getOrDefault(key, 0);
    }

    /** Where the status of a failed request stands by itself in a part of a text; -1 if none does. */
    static int status(String text, int from, int to) {
        for (int i = from; i + 3 <= to; i++) {
            if (isStatus(text, i)
                    && (i == from || !isOfName(text.charAt(i - 1)))
                    && !(i + 4 < to && isOfName(text.charAt(i + 3)) && isOfWord(text.charAt(i + 4)))) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a status of a failed request is at an index, also as a part of a longer number. */
    static boolean isStatus(String text, int at) {
        char c = text.charAt(at);
        return (c == '4' || c == '5')
                && at + 2 < text.length()
                && CharClasses.isDigit(text.charAt(at + 1))
                && CharClasses.isDigit(text.charAt(at + 2));
    }

    private static boolean isOfName(char c) {
        return isOfWord(c) || c == '.' || c == ':' || c == '-';
    }

    private static boolean isOfWord(char c) {
        return CharClasses.isLetter(c) || CharClasses.isDigit(c) || c == '_';
    }

    /** Adds what the details say, if the messages and codes only repeat that a request failed. */
    private void readDetails() {
        boolean said = details.isEmpty() || !areGeneric(messages);
        for (StructuredError detail : details) {
            if (areGeneric(codes) && (!said || !detail.codes.isEmpty() && !namesCause())) {
                codes.addAll(detail.codes);
                for (String message : detail.messages) {
                    add(message, LAST);
                }
            }
            marked |= detail.marked;
            strong |= detail.strong;
        }
    }

    /** Whether the first message names a cause, or there is none. */
    private boolean namesCause() {
        return messages.isEmpty() || AnswerWords.isCause(messages.get(0));
    }

    private static boolean areGeneric(Collection<String> texts) {
        for (String text : texts) {
            if (!AnswerWords.isGeneric(text)) {
                return false;
            }
        }
        return true;
    }

    private boolean tells() {
        return !messages.isEmpty() || !codes.isEmpty();
    }

    private void object(LenientJson json, String parent, int nesting) {
        int inner = json.depth();
        String key = parent;
        int kinds = kinds(parent);
        Token token;
        while (json.depth() >= inner && (token = json.next()) != Token.END) {
            depth = json.depth();
            if (token == Token.KEY) {
                key = CharClasses.lowerCase(json.value()).replace("_", "").replace("-", "");
                kinds = kinds(key);
                issue |= (kinds & IS_ISSUE) != 0;
                strong |= (kinds & IS_STRONG) != 0;
            } else if (token == Token.OPEN && (kinds & IS_SKIPPED) != 0) {
                json.skip();
            } else if (token == Token.OPEN && key.startsWith("detail") && !inDetails) {
                marked |= (kinds & IS_MARK) != 0;
                StructuredError detail = new StructuredError(expected, failed);
                detail.inDetails = true;
                detail.object(json, key, nesting);
                details.add(detail);
            } else if (token == Token.OPEN) {
                boolean mark = (kinds & IS_MARK) != 0;
                marked |= mark;
                object(json, parent.equals("errors") && !mark ? parent : key, nesting);
            } else if (token == Token.STRING || token == Token.WORD) {
                boolean field = parent.equals("errors")
                        && json.value().indexOf(' ') > 0
                        && (kinds & (IS_SKIPPED | IS_CODE)) == 0;
                boolean data = parent.equals("error") && key.equals("data");
                value(field ? "message" : data ? "detail" : key, json.value(), token == Token.STRING, nesting);
            }
        }
    }

    private void value(String key, String value, boolean string, int nesting) {
        String text = value.strip();
        int kinds = kinds(key);
        marked |= (kinds & IS_MARK) != 0 && !text.isEmpty();
        if (key.equals("received") && text.equals("undefined")) {
            add("received undefined", -1);
        }
        boolean content = key.equals("type") && CONTENT_TYPES.contains(text);
        if (content || (kinds & IS_SKIPPED) != 0 || text.isEmpty() || !string && LITERALS.contains(text)) {
            return;
        }
        marked |= key.equals("type") && text.equals("error");
        sentence = sentence.isEmpty() && text.indexOf(' ') > 0 ? text : sentence;
        if (string && nesting < MAX_DEPTH && text.indexOf('{') >= 0 && nested(text, nesting)) {
            return;
        }
        if (text.startsWith("<") && nesting < MAX_DEPTH && readMarkup(text)) {
            marked = true;
        } else if (text.length() == 3 && isStatus(text, 0)) {
            status = status == null ? text : status;
            marked |= key.contains("code") || key.contains("status");
        } else if (status == null && (kinds & IS_CODE) != 0 && text.indexOf(' ') > 0 && reason(text)) {
            marked |= key.contains("code");
        } else if (string && text.indexOf(' ') >= 0 || (kinds & (IS_MESSAGE | IS_CODE)) == IS_MESSAGE) {
            if (((kinds & IS_MESSAGE) != 0 || key.equals("body") && status != null) && messages.size() < MAX_MESSAGES) {
                add(text, place(key));
            }
        } else if (isCode(key, text) && codes.size() < MAX_CODES) {
            String code = text.substring(text.lastIndexOf('#') + 1);
            if (!codes.contains(code)) {
                codes.add(key.endsWith("code") ? coded++ : codes.size(), code);
            }
        } else if (key.equals("body") && string && status != null && messages.isEmpty()) {
            add(text, LAST);
        }
    }

    /**
     * Where the message of a field belongs, so that the order of the fields does not decide: a heading, a message,
     * another text, each before what is deeper; a detail last.
     */
    private int place(String key) {
        if (key.startsWith("detail")) {
            return LAST - 1;
        }
        boolean heading = key.equals("error") || key.equals("title") || key.equals("errorsummary");
        return 3 * depth + (heading ? 0 : key.endsWith("message") || key.endsWith("msg") ? 1 : 2);
    }

    private void add(String message, int place) {
        int at = places.size();
        while (at > 0 && places.get(at - 1) > place) {
            at--;
        }
        places.add(at, place);
        messages.add(at, message);
    }

    /** Takes a text that is the reason of a status, such as {@code not found}, for the status. */
    private boolean reason(String text) {
        status = AnswerWords.statusOf(text);
        return status != null;
    }

    private static boolean isCode(String key, String text) {
        if ((kinds(key) & IS_CODE) != 0) {
            return CODE.matcher(text).matches() && !text.startsWith("about:") && !text.contains("/rfc");
        }
        return NAME_KEYS.contains(key) && CODE_NAME.matcher(text).matches() || key.equals("id") && isCause(text);
    }

    /** Whether an id is the name of a cause, such as {@code not_found}. */
    private static boolean isCause(String id) {
        String words = Slugs.kebab(id);
        return NAME.matcher(id).matches()
                && (words.indexOf('-') > 0 && AnswerWords.isGeneric(words) || AnswerWords.isCause(words));
    }

    /** Reads a page or a document in XML; false if it does not report an error. */
    boolean readMarkup(String text) {
        String page = Markup.page(text);
        if (page != null) {
            add(page, 0);
            return true;
        }
        Markup.read(text, this);
        return marked && tells();
    }

    /** Takes a field of a document in XML. */
    void field(String key, String value) {
        strong |= (kinds(key) & IS_STRONG) != 0;
        value(key, value, true, MAX_DEPTH);
    }

    /** Takes a status that stands beside the document, if it has none of its own. */
    void orStatus(@Nullable String beside) {
        status = status == null ? beside : status;
    }

    /** Notes that a document in XML has an element of this name. */
    void mark(String name) {
        marked |= (kinds(name) & IS_MARK) != 0 || name.endsWith("error") || name.endsWith("errorresponse");
    }

    /** Reads the document in a string. */
    private boolean nested(String text, int nesting) {
        int brace = text.indexOf('{');
        int key = AnswerText.key(text, brace);
        boolean quoted = key < text.length() && "\"'\\".indexOf(text.charAt(key)) >= 0;
        if (!quoted && !text.startsWith("error", key) && !text.startsWith("code", key)) {
            return false;
        }
        StructuredError inner = new StructuredError(expected || status != null, failed || status != null);
        if (inner.read(text, brace, nesting + 1) < 0) {
            return false;
        }
        inner.readPrefix(text.substring(Math.max(0, brace - MAX_PREFIX), brace), new StringBuilder());
        marked = true;
        status = status == null ? inner.status : status;
        addFirst(inner);
        issue |= inner.issue;
        return true;
    }

    /** Takes what a document inside of this one says before what is around it: it is the cause, this its wrapper. */
    private void addFirst(StructuredError inner) {
        int at = 0;
        for (String message : inner.messages) {
            messages.add(at, message);
            places.add(at++, -1);
        }
        codes.removeAll(inner.codes);
        codes.addAll(0, inner.codes);
        coded = inner.codes.size();
        strong |= inner.strong;
    }

    /** Reads the status, the code and the exception class before the document; keeps any other text as a line. */
    void readPrefix(String prefix, StringBuilder out) {
        boolean told = Slugs.isEmpty(prefix);
        int number = status(prefix, 0, prefix.length());
        if (number >= 0) {
            status = status == null ? prefix.substring(number, number + 3) : status;
            told = true;
        }
        Matcher screaming = prefix.indexOf('_') >= 0 ? SCREAMING.matcher(prefix) : null;
        if (screaming != null && screaming.find()) {
            codes.add(screaming.group());
            told = true;
        }
        ExceptionClass exception = ExceptionClass.of(prefix.strip());
        if (exception != null) {
            if (messages.isEmpty() && areGeneric(codes) && !AnswerWords.isBare(exception.message())) {
                add(exception.message(), LAST);
            } else if (codes.isEmpty() && messages.isEmpty()) {
                codes.add(exception.name());
            }
            told = true;
        }
        if (!told) {
            out.append(prefix.stripTrailing()).append('\n');
        }
    }

    void write(StringBuilder out) {
        out.append(status == null ? "error" : "HTTP " + status);
        String message = messages.isEmpty() ? "" : messages.get(0);
        for (String other : messages.size() > 1 ? messages : List.<String>of()) {
            int sentence = message.indexOf(". ");
            String first = sentence < 0 ? message : message.substring(0, sentence);
            if (!AnswerWords.isGeneric(first)
                    && AnswerWords.statusOf(message) == null
                    && !AnswerWords.isBareStatus(message)) {
                break;
            }
            message = other;
        }
        int cut = Math.min(message.length(), MAX_MESSAGE);
        cut -= cut > 0 && Character.isHighSurrogate(message.charAt(cut - 1)) ? 1 : 0;
        message = message.substring(0, cut);
        boolean checked = issue && AnswerWords.isCause(message);
        if (!codes.isEmpty() && !checked) {
            out.append(" (").append(String.join(", ", codes)).append(')');
        }
        boolean plain = message.indexOf("  ") < 0;
        for (int i = 0; plain && i < message.length(); i++) {
            plain = message.charAt(i) >= ' ';
        }
        out.append(": ").append((plain ? message : BLANKS.matcher(message).replaceAll(" ")).strip());
    }
}
