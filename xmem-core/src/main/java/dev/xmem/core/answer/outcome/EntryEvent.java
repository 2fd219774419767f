package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A later line about an entry: an outcome or an amendment.
 *
 * @param millis when, in milliseconds since 1970
 * @param said {@code worked}, {@code failed} or {@code irrelevant}; or {@code dismiss}, {@code pin}, {@code supersede} or
 *     {@code retag}; what else stands there counts nothing
 * @param session who votes; null for an amendment
 * @param detail why it was dismissed, or the id of what replaces it
 * @param add tags to add
 * @param remove tags to take away
 * @param json the line
 */
record EntryEvent(
        long millis,
        String said,
        @Nullable String session,
        @Nullable String detail,
        List<String> add,
        List<String> remove,
        String json) {
    /** Time, then bytes: the same on every machine. */
    static final Comparator<EntryEvent> ORDER =
            Comparator.comparingLong(EntryEvent::millis).thenComparing(EntryEvent::json);

    /** The event that a line of an owner stands for. A session of another replica is not the one of the same name here. */
    static EntryEvent of(Entry line, Origin origin) {
        boolean vote = Schema.OUTCOME.type().equals(StoredEntries.field(line, "type"));
        String said = lower(StoredEntries.field(line, vote ? "outcome" : "change"));
        return new EntryEvent(
                line.ts().toEpochMilli(),
                said,
                vote ? voter(Objects.requireNonNullElse(StoredEntries.field(line, "session_id"), ""), origin) : null,
                said.equals("supersede")
                        ? successor(StoredEntries.field(line, "by"), origin)
                        : StoredEntries.field(line, "why"),
                vote ? List.of() : StoredEntries.texts(line, "add"),
                vote ? List.of() : StoredEntries.texts(line, "remove"),
                line.json());
    }

    /** Whether it names an entry that replaces the one that it speaks of. */
    boolean replaces() {
        return session == null && said.equals("supersede");
    }

    private static String voter(String session, Origin origin) {
        return origin.own() ? session : session + '\n' + origin.replica();
    }

    private static @Nullable String successor(@Nullable String by, Origin origin) {
        return by == null ? null : origin.shown(by);
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
