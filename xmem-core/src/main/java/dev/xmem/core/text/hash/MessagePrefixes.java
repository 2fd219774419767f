package dev.xmem.core.text.hash;

import java.util.List;

/** Strips the prefixes of a message: the name of the tool, and words such as {@code error:}. */
final class MessagePrefixes {
    private static final int MAX_PREFIXES = 4;
    private static final int MAX_NAME = 60;
    private static final int MAX_POSITION = 200;
    private static final List<String> MARKS =
            List.of(": error: ", ": fatal error: ", ": FATAL: ", ": fatal: ", ": Error: ");
    private static final PrefixSet WORDS = new PrefixSet(SalientLines.prefixes("prefix"));

    private MessagePrefixes() {}

    static String strip(String text, String tool) {
        String rest = text;
        for (int i = 0; i < MAX_PREFIXES; i++) {
            int end = Math.max(WORDS.match(rest, 0), Math.max(toolPrefix(rest, tool), component(rest)));
            if (end <= 0 || end >= rest.length()) {
                break;
            }
            rest = rest.substring(end).stripLeading();
        }
        return rest.isEmpty() ? text : afterPosition(rest);
    }

    /** The text after {@code position: error: }, or the whole text. */
    private static String afterPosition(String text) {
        for (String mark : MARKS) {
            int at = text.indexOf(mark);
            if (at > 0 && at < MAX_POSITION && at + mark.length() < text.length()) {
                return text.substring(at + mark.length()).stripLeading();
            }
        }
        return text;
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

    /** The length of {@code [component @ 0x…] } in front, or -1. */
    private static int component(String text) {
        if (text.startsWith("Error from server (")) {
            return text.indexOf(": ") + 2;
        }
        int end = text.startsWith("[") ? text.indexOf("] ") : -1;
        int at = text.indexOf(" @ 0x");
        return at > 0 && at < end ? end + 2 : -1;
    }
}
