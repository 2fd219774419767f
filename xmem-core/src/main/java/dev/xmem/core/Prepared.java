package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.core.index.Log;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is ready to be stored but for id and time.
 *
 * @param kind what it is
 * @param fields its fields, redacted, checked and hashed; with {@code id} and {@code ts} where the caller gave them
 * @param line the line that the caller gave; null where he gave fields
 */
record Prepared(
        Entry.Kind kind,
        Map<String, @Nullable Object> fields,
        @Nullable String line) {
    /** The log it belongs into, of those that the store has. */
    Log log(List<Log> logs) {
        boolean global = kind == Entry.Kind.DIRECTIVE && "global".equals(fields.get("scope"));
        return global && logs.contains(Log.GLOBAL_DIRECTIVES) ? Log.GLOBAL_DIRECTIVES : Log.of(kind);
    }

    Prepared ofLine(String given) {
        return new Prepared(kind, fields, given);
    }

    @Nullable String text(String field) {
        return fields.get(field) instanceof String text ? text : null;
    }
}
