package dev.xmem.cli.install;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a JSON text with its place there. */
final class JsonNode {
    enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        OTHER
    }

    final Kind kind;
    final @Nullable JsonNode parent;
    /** The name of a member; null for an element and for the root. */
    final @Nullable String key;
    /** Where the member or the element begins. */
    final int from;
    /** Where the value begins. */
    final int start;
    /** The text of a string or another scalar. */
    final String text;

    final List<JsonNode> children = new ArrayList<>();
    int end;

    JsonNode(Kind kind, @Nullable JsonNode parent, @Nullable String key, int from, int start, String text) {
        this.kind = kind;
        this.parent = parent;
        this.key = key;
        this.from = from;
        this.start = start;
        this.text = text;
    }

    @Nullable JsonNode member(String name) {
        for (JsonNode child : children) {
            if (kind == Kind.OBJECT && name.equals(child.key)) {
                return child;
            }
        }
        return null;
    }

    /** The names from the root to this value; null if an array is on the way. */
    @Nullable List<String> path() {
        if (parent == null) {
            return new ArrayList<>();
        }
        List<String> path = key == null ? null : parent.path();
        if (path != null && key != null) {
            path.add(key);
        }
        return path;
    }
}
