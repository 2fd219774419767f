package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.json.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is ready to be stored but for id and time.
 *
 * @param kind what it is
 * @param fields its fields, redacted, checked and hashed; with {@code id} and {@code ts} where the caller gave them
 * @param line the line that the caller gave; null where he gave fields
 * @param schema what its line holds
 */
public record PreparedEntry(
        Entry.Kind kind,
        Map<String, @Nullable Object> fields,
        @Nullable String line,
        Schema schema) {
    PreparedEntry(Entry.Kind kind, Map<String, @Nullable Object> fields) {
        this(kind, fields, null, Schema.of(kind));
    }

    /** A word about an entry of a kind: it goes into the log of that kind and has no id. */
    boolean isEvent() {
        return schema.kind() == Entry.Kind.UNKNOWN;
    }

    boolean isDirective() {
        return kind == Entry.Kind.DIRECTIVE && !isEvent();
    }

    /** The log it belongs into, of those that the store has. */
    LogName log(List<LogName> logs) {
        boolean global = kind == Entry.Kind.DIRECTIVE && "global".equals(fields.get("scope"));
        return global && logs.contains(LogName.GLOBAL_DIRECTIVES) ? LogName.GLOBAL_DIRECTIVES : LogName.of(kind);
    }

    PreparedEntry ofLine(String given) {
        return new PreparedEntry(kind, fields, given, schema);
    }

    @Nullable String text(String field) {
        return fields.get(field) instanceof String text ? text : null;
    }
}
