package dev.xmem.cli.install;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values in the layout of a JSON text: its line ends, its indentation, or everything in one line. */
final class JsonLayout {
    private static final String UNIT = "  ";

    private final String text;
    private final String newLine;
    private final String unit;
    private final boolean lines;

    JsonLayout(String text, JsonNode root) {
        this.text = text;
        newLine = text.contains("\r\n") ? "\r\n" : "\n";
        lines = root.children.isEmpty() || text.substring(root.start, root.end).indexOf('\n') >= 0;
        String first = root.children.isEmpty() ? null : ownIndent(root.children.get(0));
        unit = first == null || first.isEmpty() ? UNIT : first;
    }

    /** The text of a value that becomes the only child of an empty container, after its bracket. */
    String onlyChild(JsonNode container, @Nullable String key, Object value) {
        if (!lines) {
            return child(key, value, null);
        }
        String outer = lineIndent(container.start);
        String inner = text.substring(container.start + 1, container.end - 1);
        return newLine
                + outer
                + unit
                + child(key, value, outer + unit)
                + (inner.indexOf('\n') < 0 ? newLine + outer : "");
    }

    /** The text of a value that becomes the last child of a container, after the child that was the last. */
    String furtherChild(JsonNode container, @Nullable String key, Object value) {
        String indent = ownIndent(container.children.get(0));
        return indent == null ? ", " + child(key, value, null) : "," + newLine + indent + child(key, value, indent);
    }

    /** The indentation of a value that begins its line; null if it does not. */
    private @Nullable String ownIndent(JsonNode node) {
        String indent = lineIndent(node.from);
        return text.startsWith(indent, node.from - indent.length())
                        && lineStart(node.from) + indent.length() == node.from
                        && lineStart(node.from) > 0
                ? indent
                : null;
    }

    private int lineStart(int offset) {
        return text.lastIndexOf('\n', offset - 1) + 1;
    }

    private String lineIndent(int offset) {
        int start = lineStart(offset);
        int end = start;
        while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(start, end);
    }

    private String child(@Nullable String key, Object value, @Nullable String indent) {
        return (key == null ? "" : quoted(key) + ": ") + rendered(value, indent);
    }

    /** A value as JSON; in one line if the indentation is null. */
    private String rendered(Object value, @Nullable String indent) {
        String inner = indent == null ? null : indent + unit;
        List<String> parts = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> parts.add(child(name.toString(), member, inner)));
            return enclosed("{", parts, "}", indent);
        } else if (value instanceof List<?> list) {
            boolean flat = list.stream().noneMatch(element -> element instanceof Map);
            list.forEach(element -> parts.add(rendered(element, flat ? null : inner)));
            return enclosed("[", parts, "]", flat ? null : indent);
        }
        return value instanceof String string ? quoted(string) : value.toString();
    }

    private String enclosed(String open, List<String> parts, String close, @Nullable String indent) {
        if (indent == null) {
            return open + String.join(", ", parts) + close;
        }
        String line = newLine + indent + unit;
        return open + line + String.join("," + line, parts) + newLine + indent + close;
    }

    static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
