package dev.xmem.cli.install;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.xmem.cli.install.JsonNode.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JSON text, with or without comments, that is edited at the offsets of its tokens: what is not edited keeps every
 * byte. Immutable; each edit returns another document. Decision: docs/adr/0049-settings-are-edited-as-text.md.
 */
final class JsonDocument {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static final Pattern COMMENTS_THEN_COMMA =
            Pattern.compile("(?:\\s|//[^\\r\\n]*+|/\\*(?:[^*]|\\*(?!/))*+\\*/)*+,");

    final String text;
    final JsonNode root;

    private JsonDocument(String text, JsonNode root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Parses a text.
     *
     * @throws InstallException if it is not one JSON object
     */
    static JsonDocument parse(String text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InstallException("it is not a JSON object");
            }
            JsonNode root = value(parser, text, null, null, -1);
            if (parser.nextToken() != null) {
                throw new InstallException("there is text after the JSON object");
            }
            return new JsonDocument(text, root);
        } catch (JsonProcessingException e) {
            throw new InstallException(
                    "it is not JSON: " + e.getOriginalMessage().replaceFirst("(?s) \\(start marker at .*", "")
                            + (e.getLocation() == null
                                    ? ""
                                    : " in line " + e.getLocation().getLineNr()));
        }
    }

    private static int offset(JsonParser parser) {
        return (int) parser.currentTokenLocation().getCharOffset();
    }

    private static JsonNode value(
            JsonParser parser, String text, @Nullable JsonNode parent, @Nullable String key, int keyAt)
            throws IOException {
        int start = offset(parser);
        int from = keyAt < 0 ? start : keyAt;
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            JsonNode object = new JsonNode(Kind.OBJECT, parent, key, from, start, "");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                int at = offset(parser);
                parser.nextToken();
                object.children.add(value(parser, text, object, name, at));
            }
            object.end = offset(parser) + 1;
            return object;
        } else if (token == JsonToken.START_ARRAY) {
            JsonNode array = new JsonNode(Kind.ARRAY, parent, key, from, start, "");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                array.children.add(value(parser, text, array, null, -1));
            }
            array.end = offset(parser) + 1;
            return array;
        }
        Kind kind = token == JsonToken.VALUE_STRING ? Kind.STRING : Kind.OTHER;
        JsonNode scalar = new JsonNode(kind, parent, key, from, start, parser.getText());
        scalar.end = kind == Kind.STRING ? endOfString(text, start) : start + scalar.text.length();
        return scalar;
    }

    private static int endOfString(String text, int start) {
        int i = start + 1;
        while (text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i + 1;
    }

    /** The value at a path of names; null if there is none. */
    @Nullable JsonNode at(List<String> path) {
        JsonNode node = root;
        for (String name : path) {
            JsonNode child = node.member(name);
            if (child == null) {
                return null;
            }
            node = child;
        }
        return node;
    }

    /**
     * Appends an element to the array at a path, which is created if it is missing.
     *
     * @throws InstallException if there is something else on the path
     */
    JsonDocument append(List<String> path, Object element) throws IOException {
        JsonNode array = at(path);
        if (array == null) {
            return put(path, List.of(element));
        }
        require(array, Kind.ARRAY, path);
        return insert(array, null, element);
    }

    /**
     * Adds a member at a path, and the objects on the way to it.
     *
     * @throws InstallException if there is something else on the path
     */
    JsonDocument put(List<String> path, Object value) throws IOException {
        JsonNode node = root;
        for (int i = 0; i < path.size(); i++) {
            require(node, Kind.OBJECT, path.subList(0, i));
            JsonNode child = node.member(path.get(i));
            if (child == null) {
                Object inner = value;
                for (int j = path.size() - 1; j > i; j--) {
                    inner = Map.of(path.get(j), inner);
                }
                return insert(node, path.get(i), inner);
            }
            node = child;
        }
        throw new InstallException("it already has the member " + String.join(".", path));
    }

    private static void require(JsonNode node, Kind kind, List<String> path) throws InstallException {
        if (node.kind != kind) {
            String name = path.isEmpty() ? "the top level" : String.join(".", path);
            throw new InstallException(name + " is not an " + (kind == Kind.ARRAY ? "array" : "object"));
        }
    }

    private JsonDocument insert(JsonNode container, @Nullable String key, Object value) throws IOException {
        JsonLayout layout = new JsonLayout(text, root);
        List<JsonNode> children = container.children;
        String inserted;
        int at;
        if (children.isEmpty()) {
            at = container.start + 1;
            inserted = layout.onlyChild(container, key, value);
        } else {
            at = children.get(children.size() - 1).end;
            inserted = layout.furtherChild(container, key, value);
        }
        return parse(text.substring(0, at) + inserted + text.substring(at));
    }

    /**
     * Removes the values that the predicate accepts, with the containers that only they were in.
     *
     * @param before the document before they were added; null if it is not known. Its containers stay.
     */
    JsonDocument remove(Predicate<JsonNode> own, @Nullable JsonDocument before) throws IOException {
        JsonDocument document = this;
        for (JsonNode node = find(root, own); node != null; node = find(document.root, own)) {
            document = document.cut(whole(node, before), before);
        }
        return document;
    }

    private static @Nullable JsonNode find(JsonNode node, Predicate<JsonNode> own) {
        if (own.test(node)) {
            return node;
        }
        for (JsonNode child : node.children) {
            JsonNode found = find(child, own);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The value, or the outermost container that holds nothing else and was not there before. */
    private static JsonNode whole(JsonNode node, @Nullable JsonDocument before) {
        JsonNode outer = node.parent;
        if (outer == null || outer.parent == null || outer.children.size() > 1) {
            return node;
        }
        JsonNode holder = outer.parent;
        if (outer.kind == Kind.ARRAY && holder.parent != null && holder.parent.kind == Kind.ARRAY) {
            return whole(holder, before); // a group, such as a matcher with its hooks
        }
        List<String> path = outer.path();
        boolean kept = before != null && path != null && before.at(path) != null;
        return kept ? node : whole(outer, before);
    }

    private JsonDocument cut(JsonNode node, @Nullable JsonDocument before) throws IOException {
        JsonNode container = node.parent;
        if (container == null) {
            throw new InstallException("the whole document is an entry of xmem");
        }
        List<JsonNode> siblings = container.children;
        int index = siblings.indexOf(node);
        if (siblings.size() == 1) {
            List<String> path = container.path();
            JsonNode old = before == null || path == null ? null : before.at(path);
            boolean wasEmpty = old != null && old.children.isEmpty() && old.kind == container.kind;
            String inner = before != null && old != null && wasEmpty
                    ? before.text.substring(old.start + 1, old.end - 1)
                    : text.substring(container.start + 1, node.from).stripTrailing()
                            + text.substring(node.end, container.end - 1).strip();
            return parse(text.substring(0, container.start + 1) + inner + text.substring(container.end - 1));
        } else if (index == 0) {
            return parse(text.substring(0, node.from) + text.substring(siblings.get(1).from));
        }
        int previous = siblings.get(index - 1).end;
        String gap = text.substring(previous, node.from);
        String kept = gap.isBlank() || gap.strip().equals(",")
                ? ""
                : withoutComma(gap).stripTrailing();
        return parse(text.substring(0, previous) + kept + text.substring(node.end));
    }

    /** The text between two elements, which has comments, without its comma. */
    private static String withoutComma(String gap) {
        Matcher comma = COMMENTS_THEN_COMMA.matcher(gap);
        return comma.lookingAt() ? gap.substring(0, comma.end() - 1) + gap.substring(comma.end()) : gap;
    }
}
