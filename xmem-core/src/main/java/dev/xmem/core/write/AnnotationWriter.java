package dev.xmem.core.write;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Outcome;
import dev.xmem.XMemException;
import dev.xmem.core.answer.lookup.EntryLookup;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Appends outcomes and amendments. Each is a new line; existing lines are never edited. Thread-safe. */
public final class AnnotationWriter {
    private static final int LONGEST_CHAIN = 100;

    private final LogRegistry registry;
    private final Outcomes outcomes;
    private final EntryLookup lookup;
    private final Appender appender;

    public AnnotationWriter(LogRegistry registry, Outcomes outcomes, EntryLookup lookup, Appender appender) {
        this.registry = registry;
        this.outcomes = outcomes;
        this.lookup = lookup;
        this.appender = appender;
    }

    /** Records a session's vote; returns false if the session has voted on this entry before. */
    public boolean outcome(String id, Outcome outcome, String session) throws IOException {
        Entry entry = entry("id", id);
        if (entry.kind() != Entry.Kind.FAILURE && entry.kind() != Entry.Kind.SUCCESS) {
            throw new XMemException.Invalid(
                    "id", "is of neither a failure nor a success: " + entry.id() + ". Only their advice has outcomes.");
        }
        Map<String, Object> vote = Map.of("outcome", outcome.name().toLowerCase(Locale.ROOT), "session_id", session);
        PreparedEntry line = appender.processor().event(Schema.OUTCOME, entry, vote);
        String voter = line.text("session_id");
        if (voter == null || voter.isBlank()) {
            throw new XMemException.Invalid("session", "must not be empty: a session has one vote per entry.");
        }
        IoSupplier<Boolean> first = () -> !outcomes.hasVoted(registry.whole(), entry.id(), voter);
        return first.get() && appender.appendIf(first, line);
    }

    /** Records an amendment and returns the entry with it. */
    public Entry amend(String id, Amendment change) throws IOException {
        Entry entry = entry("id", id);
        if (entry.kind() == Entry.Kind.UNKNOWN) {
            throw new XMemException.Invalid("id", "is of a line that this version does not know: " + entry.id() + ".");
        }
        Map<String, Object> fields = new LinkedHashMap<>(change.fields());
        for (String tagged : List.of("add", "remove")) {
            if (fields.get(tagged) instanceof Collection<?> tags
                    && StoredEntries.isPrivate(
                            tags.stream().map(String::valueOf).toList())) {
                throw new XMemException.Invalid(
                        "tags",
                        "cannot add or remove " + Entry.PRIVATE
                                + ": an entry is private from the beginning. Purge it and record it again.");
            }
        }
        if (fields.get("by") instanceof String by) {
            Entry successor = entry("by", by);
            requireNoCycle(entry, successor);
            fields.put("by", successor.id());
        }
        appender.appendPrepared(List.of(appender.processor().event(Schema.AMENDMENT, entry, fields)));
        return entry("id", entry.id());
    }

    /**
     * Refuses a new success that answers an id that no entry has, neither in the store nor in its batch: its lesson
     * would never be told.
     */
    public void requireAnswered(List<? extends EntryDraft> batch) throws IOException {
        for (EntryDraft draft : batch) {
            for (String id : AnsweredIds.of(draft)) {
                Entry known = lookup.find(registry.whole(), id).orElse(null);
                if (known == null && !AnsweredIds.brings(batch, id)) {
                    throw new XMemException.Invalid(
                            "answers", "has an unknown id: " + id + ". Search shows the ids of entries.");
                }
                if (known != null && known.id().startsWith(id) && !known.id().equals(id)) {
                    throw new XMemException.Invalid(
                            "answers", "needs the whole id: " + known.id() + ", not " + id + ".");
                }
            }
        }
    }

    private Entry entry(String field, String id) throws IOException {
        return lookup.find(registry.whole(), id)
                .orElseThrow(() -> new XMemException.Invalid(
                        field,
                        (id.isEmpty() ? "must not be empty" : "is unknown: " + id)
                                + ". Search shows the ids of entries; a unique prefix suffices."));
    }

    /** An entry that replaces another must not be replaced by it, directly or through others. */
    private void requireNoCycle(Entry entry, Entry successor) throws IOException {
        Entry next = successor;
        for (int i = 0; next != null && i < LONGEST_CHAIN; i++) {
            if (next.id().equals(entry.id())) {
                throw new XMemException.Invalid(
                        "by",
                        "must not be an entry that this one replaces: " + successor.id() + ". Name one that stays.");
            }
            String by = StoredEntries.field(next, "superseded_by");
            next = by == null ? null : lookup.find(registry.whole(), by).orElse(null);
        }
    }
}
