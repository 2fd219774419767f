package dev.xmem.core.text.hash;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Strips the prefixes of a message: the name of the tool, and words such as {@code error:}. */
final class MessagePrefixes {
    private static final int MAX_PREFIXES = 4;
    private static final int MAX_NAME = 60;
    private static final int MAX_POSITION = 200;
    private static final List<String> MARKS =
            List.of(": error: ", ": fatal error: ", ": FATAL: ", ": fatal: ", ": Error: ");
    private static final String THREAD = "Exception in thread \"";
    private static final String MESSAGE = "message=";
    private static final List<String> STATEMENTS = List.of("; SQL statement:", " [SQL: ", ", SQL: ", " (SQL: ");
    private static final PrefixSet WORDS = new PrefixSet(SalientLines.prefixes("prefix"));
    /** The first words of a statement that a library puts in front of a message: {@code select 1 - message}. */
    private static final PrefixSet QUERIES = new PrefixSet(SalientLines.prefixes("statement"));

    private static final PrefixSet CALLS = new PrefixSet(SalientLines.prefixes("call-prefix"));

    private MessagePrefixes() {}

    static String strip(String text, String tool) {
        String rest = stripped(text, tool);
        return withoutStatement(labelled(unwrapped(afterPosition(rest))));
    }

    /** The text without words such as {@code error:} in front. */
    static String withoutWords(String text) {
        return stripped(text, null);
    }

    /** The text without up to four prefixes: words, and those of a tool if there is one. */
    private static String stripped(String text, @Nullable String tool) {
        String rest = text;
        for (int i = 0, end = 1; i < MAX_PREFIXES && end > 0; i++) {
            end = WORDS.match(rest, 0);
            end = tool == null ? end : Math.max(end, ofTool(rest, tool));
            end = end < rest.length() ? end : 0;
            rest = end > 0 ? rest.substring(end).stripLeading() : rest;
        }
        return rest.isEmpty() ? text : rest;
    }

    /** The length of the longest prefix that a tool or what starts it puts in front, or -1. */
    private static int ofTool(String text, String tool) {
        int program = Math.max(toolPrefix(text, tool), cmdlet(text, tool));
        return Math.max(Math.max(call(text), component(text)), Math.max(thread(text), program));
    }

    /**
     * The message inside the form that a driver prints: {@code (1146, "message")}, {@code ('message',)},
     * {@code (package.Class) message}, {@code Error("message", line: 1)}, {@code ERROR 1146 (42S02): message}.
     */
    private static String unwrapped(String text) {
        int open = text.indexOf('(');
        if (open < 0 || open > MAX_NAME) {
            return text;
        }
        if (text.startsWith("Error: (", open - 7)) {
            String inner = unwrapped(text.substring(open));
            return inner.startsWith("(") ? text : inner;
        }
        if (open == 0) {
            int close = text.indexOf(") ");
            int dot = close < 0 || close > MAX_POSITION ? -1 : text.lastIndexOf('.', close);
            if (dot > 0 && Character.isUpperCase(text.charAt(dot + 1)) && text.lastIndexOf(' ', close - 1) < 0) {
                return unwrapped(text.substring(close + 2));
            }
        }
        if (text.startsWith("ERROR ") && open < 12 && text.startsWith(")", open + 6)) {
            int colon = text.indexOf(": ", open);
            return colon < 0 || colon > open + MAX_NAME ? text : text.substring(colon + 2);
        }
        int quote = open + 1;
        int code = quote;
        while (open == 0
                && code < text.length()
                && (CharClasses.isDigit(text.charAt(code))
                        || Character.isUpperCase(text.charAt(code))
                        || text.charAt(code) == '\'')) {
            code++;
        }
        quote = open == 0 && text.startsWith(", ", code) ? code + 2 : quote;
        boolean call = open > 0 && Character.isUpperCase(text.charAt(0)) && text.indexOf(' ') > open;
        if (quote + 1 >= text.length() || "\"'".indexOf(text.charAt(quote)) < 0 || open > 0 && !call) {
            return text;
        }
        int end = quote + 1;
        while (end < text.length() && text.charAt(end) != text.charAt(quote)) {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        boolean closed = end + 1 < text.length() && ",)".indexOf(text.charAt(end + 1)) >= 0 && text.endsWith(")");
        return closed ? withoutLabels(text.substring(quote + 1, end).replace("\\", "")) : text;
    }

    /** The value of {@code message="…"} in the fields that a client prints, or the whole text. */
    private static String labelled(String text) {
        int label = text.indexOf(MESSAGE);
        int from = label + MESSAGE.length() + 1;
        if (label <= 0 || from >= text.length() || "\"'".indexOf(text.charAt(from - 1)) < 0) {
            return text;
        }
        int end = text.indexOf(text.charAt(from - 1), from);
        int close = text.lastIndexOf(text.charAt(from - 1));
        end = end >= 0 && text.startsWith(", ", end + 1) ? end : close;
        return end <= from + 1 ? text : text.substring(from, end);
    }

    /** The text without the statement that a database repeats. */
    private static String withoutStatement(String text) {
        int dash = QUERIES.match(text, 0) > 0 ? text.lastIndexOf(" - ") : -1;
        if (dash > 0) {
            return text.substring(dash + 3);
        }
        if (!text.contains("SQL")) {
            return text;
        }
        for (String mark : STATEMENTS) {
            int at = text.indexOf(mark);
            if (at > 0) {
                return text.substring(0, at);
            }
        }
        return text;
    }

    /** The text without {@code [SQLSTATE] [vendor][driver]} in front. */
    private static String withoutLabels(String text) {
        int from = 0;
        while (from < text.length() && (text.charAt(from) == '[' || text.charAt(from) == ' ')) {
            int close = text.charAt(from) == ' ' ? from : text.indexOf(']', from);
            if (close < 0 || close - from > MAX_NAME) {
                break;
            }
            from = close + 1;
        }
        return text.substring(from);
    }

    /** The text after {@code position: error: }, or the whole text. */
    private static String afterPosition(String text) {
        int best = MARKS.size();
        int from = 0;
        for (int colon = text.indexOf(": ", 1);
                colon > 0 && colon < MAX_POSITION;
                colon = text.indexOf(": ", colon + 1)) {
            boolean mark = colon + 2 < text.length() && "efEF".indexOf(text.charAt(colon + 2)) >= 0;
            for (int i = 0; mark && i < best; i++) {
                int end = colon + MARKS.get(i).length();
                if (end < text.length() && text.startsWith(MARKS.get(i), colon)) {
                    best = i;
                    from = end;
                }
            }
        }
        return from == 0 ? text : text.substring(from).stripLeading();
    }

    /** The length of {@code tool: }, {@code /bin/tool: }, {@code tool (child): } or {@code tool-sub[12]: }, or -1. */
    static int toolPrefix(String text, String tool) {
        int colon = text.indexOf(": ");
        if (colon <= 0 || colon > MAX_NAME || tool.isEmpty()) {
            return -1;
        }
        int end = 0;
        while (end < colon && text.charAt(end) != ' ' && text.charAt(end) != '[' && text.charAt(end) != ':') {
            end++;
        }
        if (end < colon && text.charAt(end) == ' ' && text.charAt(end + 1) != '(') {
            return -1;
        }
        String name = ToolTable.canonical(text.substring(0, end));
        boolean same = name.equals(tool)
                || name.startsWith(tool)
                        && name.length() > tool.length()
                        && !Character.isLetter(name.charAt(tool.length()))
                || tool.length() > 4 && name.startsWith(tool.substring(0, 4)) && name.length() <= tool.length() + 4;
        return same ? colon + 2 : -1;
    }

    /** The length of {@code Error executing tool name: } in front, or -1. */
    private static int call(String text) {
        int name = text.contains(" tool ") ? CALLS.match(text, 0) : -1;
        int end = name < 0 ? -1 : text.indexOf(": ", name);
        return end < 0 || end > name + MAX_NAME || text.lastIndexOf(' ', end) >= name ? -1 : end + 2;
    }

    /** The length of {@code Exception in thread "name" } in front, or -1. */
    private static int thread(String text) {
        int end = text.startsWith(THREAD) ? text.indexOf("\" ", THREAD.length()) : -1;
        return end < 0 ? -1 : end + 2;
    }

    /** The length of the name of a command of PowerShell in front, such as {@code Get-Item : }, or -1. */
    private static int cmdlet(String text, String tool) {
        int colon = tool.equals("powershell") ? text.indexOf(": ") : -1;
        int end = colon > 0 && text.charAt(colon - 1) == ' ' ? colon - 1 : colon;
        boolean name = end > 0 && end < MAX_NAME && text.lastIndexOf(' ', end - 1) < 0;
        return name && text.lastIndexOf('-', end) > 0 ? colon + 2 : -1;
    }

    /** The length of {@code [component @ 0x…] } in front, or -1. */
    private static int component(String text) {
        if (text.startsWith("Error from server (")) {
            return text.indexOf(": ") + 2;
        }
        int end = text.startsWith("[") ? text.indexOf("] ") : -1;
        int at = end < 0 ? -1 : text.indexOf(" @ 0x");
        return at > 0 && at < end ? end + 2 : -1;
    }
}
