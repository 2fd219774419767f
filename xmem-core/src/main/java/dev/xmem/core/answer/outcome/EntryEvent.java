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
 * A line about an entry: a vote or an amendment.
 *
 * @param millis its time, in milliseconds since 1970
 * @param said {@code worked}, {@code failed} or {@code irrelevant}; or {@code dismiss}, {@code pin}, {@code supersede}
 *     or {@code retag}; other words have no effect
 * @param session the session that votes; null for an amendment
 * @param detail the reason of a dismissal, or the id of the replacement
 * @param add tags to add
 * @param remove tags to remove
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
    /** By time, then by what is said and its detail, then by bytes: the same on every machine. */
    static final Comparator<EntryEvent> ORDER = Comparator.comparingLong(EntryEvent::millis)
            .thenComparing(EntryEvent::said)
            .thenComparing(EntryEvent::detail, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(EntryEvent::json)
            .thenComparing(EntryEvent::session, Comparator.nullsFirst(Comparator.naturalOrder()));

    /** The event of a line. All sessions of another replica are one, because it can publish any number of names. */
    static EntryEvent of(Entry line, Origin origin) {
        boolean vote = Schema.OUTCOME.type().equals(StoredEntries.field(line, "type"));
        String said = text(line, vote ? "outcome" : "change").toLowerCase(Locale.ROOT);
        String session = origin.own() ? text(line, "session_id") : '\n' + origin.replica();
        String by = StoredEntries.field(line, "by");
        String successor = by == null ? null : origin.shown(by);
        return new EntryEvent(
                line.ts().toEpochMilli(),
                said,
                vote ? session : null,
                said.equals("supersede") ? successor : StoredEntries.field(line, "why"),
                vote ? List.of() : StoredEntries.texts(line, "add"),
                vote ? List.of() : StoredEntries.texts(line, "remove"),
                line.json());
    }

    private static String text(Entry line, String field) {
        return Objects.requireNonNullElse(StoredEntries.field(line, field), "");
    }

    boolean isVote() {
        return session != null && (said.equals("worked") || said.equals("failed") || said.equals("irrelevant"));
    }

    /** Whether it names an entry that replaces this one. */
    boolean replaces() {
        return session == null && said.equals("supersede");
    }
}
