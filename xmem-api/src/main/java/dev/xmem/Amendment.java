package dev.xmem;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A later word about an entry. Immutable and thread-safe. */
public final class Amendment {
    private final Map<String, Object> fields;

    private Amendment(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** Not shown any more but by its id, and kept. A later {@link #pin} brings it back. */
    public static Amendment dismiss(String why) {
        return new Amendment(FieldSource.with(FieldSource.of("change", "dismiss"), "why", why));
    }

    /** Shown before others, and never pruned. */
    public static Amendment pin() {
        return new Amendment(FieldSource.of("change", "pin"));
    }

    /** Replaced by another entry, and not shown any more but by its id. */
    public static Amendment supersededBy(String id) {
        return new Amendment(FieldSource.with(FieldSource.of("change", "supersede"), "by", id));
    }

    /** Other tags. */
    public static Amendment retag(Set<String> add, Set<String> remove) {
        Map<String, Object> tags =
                FieldSource.with(FieldSource.of("change", "retag"), "add", Set.copyOf(Objects.requireNonNull(add)));
        return new Amendment(FieldSource.with(tags, "remove", Set.copyOf(Objects.requireNonNull(remove))));
    }

    /** What is said, by JSON field name. */
    public Map<String, Object> fields() {
        return fields;
    }
}
