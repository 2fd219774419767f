package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.json.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry that lacks only its id and its time.
 *
 * @param kind its kind; of an event, the kind of the entry that it refers to
 * @param fields its fields, redacted, checked and hashed; with {@code id} and {@code ts} if the caller gave them
 * @param line the line that the caller gave; null if the caller gave fields
 * @param schema the schema of its line
 */
record PreparedEntry(
        Entry.Kind kind,
        Map<String, @Nullable Object> fields,
        @Nullable String line,
        Schema schema) {
    /** Whether this is an outcome or an amendment: it is appended to the log of its target and has no id. */
    boolean isEvent() {
        return schema.kind() == Entry.Kind.UNKNOWN;
    }

    boolean isDirective() {
        return kind == Entry.Kind.DIRECTIVE && !isEvent();
    }

    /**
     * Returns the log that this entry is appended to.
     *
     * @param logs the logs that the store has
     */
    LogName log(List<LogName> logs) {
        boolean global = kind == Entry.Kind.DIRECTIVE && "global".equals(fields.get("scope"));
        return global && logs.contains(LogName.GLOBAL_DIRECTIVES) ? LogName.GLOBAL_DIRECTIVES : LogName.of(kind);
    }

    @Nullable String text(String field) {
        return fields.get(field) instanceof String text ? text : null;
    }
}
