package dev.xmem.core;

import dev.xmem.Entry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry that is ready to be stored but for id and time.
 *
 * @param kind what it is
 * @param fields its fields, redacted, checked and hashed; with {@code id} and {@code ts} where the caller gave them
 */
record Prepared(Entry.Kind kind, Map<String, @Nullable Object> fields) {
    @Nullable String text(String field) {
        return fields.get(field) instanceof String text ? text : null;
    }
}
