package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A random journal as several tools and a few crashes leave it, random queries, and a plain implementation of the
 * search.
 */
final class JournalLines {
    private static final String[] WORDS = {
        "Python", "python", "pnpm", "build", "quote \"here\"", "back\\slash", "a/b", "é", "日本語", "😀", "tab\there",
        "new\nline", "naïve", "ß", "100%", "(x)", "[y]", "C:\\temp", "it's", "e\u0301", "<b>", "null"
    };
    private static final String[] EXPRESSIONS = {
        "[Pp]ython",
        "^pnpm",
        "build$",
        "日.語",
        "\\d+%",
        "\\(x\\)",
        "quote \"",
        "a/b",
        "é|ß",
        "nope",
        "[^a-z]y",
        "C:\\\\",
        "[a-c]{2}",
        "\\s[A-Z]",
        "(",
        "*"
    };
    private static final JsonFactory JSON = new JsonFactory();

    private final Random random;

    JournalLines(long seed) {
        random = new Random(seed);
    }

    /** Random lines, each with its line end. */
    String journal(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(line(i)).append(i % 17 == 3 ? "\r\n" : "\n");
        }
        return text.toString();
    }

    private String line(int i) {
        String note = "{\"ts\":\"2026-01-01T00:00:%02dZ\",\"type\":%s,\"content\":%s,\"tags\":%s,\"meta\":%s}"
                .formatted(i % 60, quoted(one("note", "fact", "todo", "日本語")), quoted(text(6)), tags(), meta());
        return switch (random.nextInt(24)) {
            case 0 -> note.substring(0, note.length() / 2);
            case 1 -> "";
            case 2 -> quoted(text(3));
            case 3 -> "  " + note.replace(",\"", " , \"") + " ";
            case 4 -> "{\"id\":" + quoted(text(2)) + ",\"type\":\"note\",\"content\":\"plain\"}";
            case 5 -> note + "}";
            case 6 -> "[" + note + "]";
            default -> note;
        };
    }

    private String tags() {
        return random.nextBoolean() ? "null" : "[" + quoted(text(1)) + "," + quoted(text(1)) + "]";
    }

    private String meta() {
        return switch (random.nextInt(3)) {
            case 0 -> "{\"n\":" + random.nextInt(9) + ",\"deep\":{\"list\":[" + quoted(text(1)) + ",true,null]}}";
            case 1 -> "{" + quoted(text(1)) + ":1}"; // a key, not a string value
            default -> "null";
        };
    }

    private String text(int words) {
        return random.ints(1 + random.nextInt(words), 0, WORDS.length)
                .mapToObj(w -> WORDS[w])
                .collect(Collectors.joining(" "));
    }

    private String one(String... some) {
        return some[random.nextInt(some.length)];
    }

    /** The JSON string, escaped in one of the styles that tools use. */
    private String quoted(String text) {
        boolean ascii = random.nextInt(3) == 0;
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || ascii && (c > '~' || c == '/' || c == '<')) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /** A random query; one in three is a regular expression. */
    String query() {
        if (random.nextInt(3) == 0) {
            return "/" + one(EXPRESSIONS) + "/";
        }
        String text = text(2);
        int from = random.nextInt(text.length());
        int to = from + 1 + random.nextInt(Math.min(12, text.length() - from));
        return isHalf(text, from) || isHalf(text, to) ? text : text.substring(from, to);
    }

    private static boolean isHalf(String text, int at) {
        return at < text.length() && Character.isLowSurrogate(text.charAt(at));
    }

    int number(int most) {
        return 1 + random.nextInt(most);
    }

    /** Whether one of the decoded strings of content, type, tags and meta of a line matches. */
    static boolean matches(String line, String q) {
        boolean slashes = q.length() > 1 && q.startsWith("/") && q.endsWith("/");
        Pattern expression = slashes ? expression(q.substring(1, q.length() - 1)) : null;
        return strings(line).stream()
                .anyMatch(s -> expression == null
                        ? s.contains(q)
                        : expression.matcher(s).find());
    }

    static Pattern expression(String text) {
        try {
            return Pattern.compile(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static List<String> strings(String line) {
        List<String> strings = new ArrayList<>();
        try (JsonParser p = JSON.createParser(line)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                return List.of();
            }
            String field = "";
            int depth = 1;
            while (depth > 0) {
                JsonToken token = p.nextToken();
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.FIELD_NAME && depth == 1) {
                    field = p.currentName();
                } else if (token == JsonToken.VALUE_STRING
                        && List.of("content", "type", "tags", "meta").contains(field)) {
                    strings.add(p.getText());
                }
            }
            return p.nextToken() == null ? strings : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
