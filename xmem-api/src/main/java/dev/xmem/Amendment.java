package dev.xmem;

import java.util.Map;
import java.util.Set;

/** A change to a stored entry, applied by {@link XMemStore#amend}. Immutable and thread-safe. */
public final class Amendment {
    private final Map<String, Object> fields;

    private Amendment(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** Hides the entry except from lookups by id. The entry is kept, and a later {@link #pin} shows it again. */
    public static Amendment dismiss(String why) {
        return new Amendment(FieldSource.with(FieldSource.of("change", "dismiss"), "why", why));
    }

    /** Ranks the entry before others and excludes it from pruning. */
    public static Amendment pin() {
        return new Amendment(FieldSource.of("change", "pin"));
    }

    /** Replaces the entry by another one and hides it except from lookups by id. */
    public static Amendment supersededBy(String id) {
        return new Amendment(FieldSource.with(FieldSource.of("change", "supersede"), "by", id));
    }

    /** Takes back what {@link #dismiss}, {@link #pin} and {@link #supersededBy} did to the entry until now. */
    public static Amendment restore() {
        return new Amendment(FieldSource.of("change", "restore"));
    }

    /**
     * Adds and removes tags. The tag {@value Entry#PRIVATE} can be neither added nor removed: an entry is private from
     * the beginning or never.
     */
    public static Amendment retag(Set<String> add, Set<String> remove) {
        Map<String, Object> tags =
                FieldSource.with(FieldSource.of("change", "retag"), "add", FieldSource.set("add", add));
        return new Amendment(FieldSource.with(tags, "remove", FieldSource.set("remove", remove)));
    }

    /** Returns the values of the change, by JSON field name. */
    public Map<String, Object> fields() {
        return fields;
    }
}
