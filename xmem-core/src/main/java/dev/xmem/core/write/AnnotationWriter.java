package dev.xmem.core.write;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.Outcome;
import dev.xmem.XMemException;
import dev.xmem.core.answer.lookup.EntryLookup;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is said about an entry afterwards: one more line in the log of its kind. Thread-safe. */
public final class AnnotationWriter {
    private static final int LONGEST_CHAIN = 100;

    private final DraftProcessor preparation;
    private final LogRegistry catalog;
    private final Outcomes outcomes;
    private final EntryLookup finder;
    private final Appender recorder;

    public AnnotationWriter(
            DraftProcessor preparation, LogRegistry catalog, Outcomes outcomes, EntryLookup finder, Appender recorder) {
        this.preparation = preparation;
        this.catalog = catalog;
        this.outcomes = outcomes;
        this.finder = finder;
        this.recorder = recorder;
    }

    /** Notes a session's vote; false if it has voted on this entry. */
    public boolean outcome(String id, Outcome outcome, String session) throws IOException {
        Entry entry = entry("id", id);
        if (entry.kind() != Entry.Kind.FAILURE && entry.kind() != Entry.Kind.SUCCESS) {
            throw new XMemException.Invalid(
                    "id", "is of neither a failure nor a success: " + entry.id() + ". Only their advice has outcomes.");
        }
        PreparedEntry line = preparation.event(
                Schema.OUTCOME,
                entry,
                Map.of("outcome", outcome.name().toLowerCase(Locale.ROOT), "session_id", session));
        String voter = line.text("session_id");
        if (voter == null || voter.isBlank()) {
            throw new XMemException.Invalid("session", "must not be empty: a session has one vote an entry.");
        }
        IoSupplier<Boolean> first = () -> !outcomes.hasVoted(catalog.whole(), entry.id(), voter);
        return first.get() && !recorder.append(List.of(line), first).isEmpty();
    }

    /** Notes a later word about an entry and returns the entry as it is then. */
    public Entry amend(String id, Amendment change) throws IOException {
        Entry entry = entry("id", id);
        if (entry.kind() == Entry.Kind.UNKNOWN) {
            throw new XMemException.Invalid("id", "is of a line that this version does not know: " + entry.id() + ".");
        }
        Map<String, Object> said = new LinkedHashMap<>(change.fields());
        if (said.get("by") instanceof String by) {
            Entry successor = entry("by", by);
            requireNoCircle(entry, successor);
            said.put("by", successor.id());
        }
        recorder.append(List.of(preparation.event(Schema.AMENDMENT, entry, said)));
        return entry("id", entry.id());
    }

    private Entry entry(String what, String id) throws IOException {
        return finder.find(catalog.whole(), id)
                .orElseThrow(() -> new XMemException.Invalid(
                        what, "is of no entry: " + id + ". Search shows the ids of entries, and a beginning will do."));
    }

    /** An entry that replaces another must not be replaced by it, directly or by way of others. */
    private void requireNoCircle(Entry entry, Entry successor) throws IOException {
        Entry next = successor;
        for (int i = 0; next != null && i < LONGEST_CHAIN; i++) {
            if (next.id().equals(entry.id())) {
                throw new XMemException.Invalid(
                        "by", "is replaced by this entry itself: " + successor.id() + ". Name one that stays.");
            }
            String by = StoredEntries.field(next, "superseded_by");
            next = by == null ? null : finder.find(catalog.whole(), by).orElse(null);
        }
    }
}
