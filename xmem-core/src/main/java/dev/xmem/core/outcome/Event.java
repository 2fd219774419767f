package dev.xmem.core.outcome;

import dev.xmem.Entry;
import dev.xmem.core.index.Origin;
import dev.xmem.core.record.Entries;
import dev.xmem.core.record.Schema;
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
record Event(
        long millis,
        String said,
        @Nullable String session,
        @Nullable String detail,
        List<String> add,
        List<String> remove,
        String json) {
    /** Time, then bytes: the same on every machine. */
    static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::millis).thenComparing(Event::json);

    /** The event that a line of an owner stands for. A session of another replica is not the one of the same name here. */
    static Event of(Entry line, Origin origin) {
        boolean vote = Schema.OUTCOME.type().equals(Entries.field(line, "type"));
        String said = lower(Entries.field(line, vote ? "outcome" : "change"));
        return new Event(
                line.ts().toEpochMilli(),
                said,
                vote ? voter(Objects.requireNonNullElse(Entries.field(line, "session_id"), ""), origin) : null,
                said.equals("supersede") ? successor(Entries.field(line, "by"), origin) : Entries.field(line, "why"),
                vote ? List.of() : Entries.texts(line, "add"),
                vote ? List.of() : Entries.texts(line, "remove"),
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
