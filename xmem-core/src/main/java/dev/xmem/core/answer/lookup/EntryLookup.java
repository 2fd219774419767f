package dev.xmem.core.answer.lookup;

import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Finds entries by id, with all their events. Thread-safe. */
public final class EntryLookup {
    private final EntryReader entries;
    private final DirectiveReader directives;
    private final Outcomes outcomes;

    public EntryLookup(EntryReader entries, DirectiveReader directives, Outcomes outcomes) {
        this.entries = entries;
        this.directives = directives;
        this.outcomes = outcomes;
    }

    /**
     * The entry with this id; else the entry that covers it; else the only entry whose id has this prefix. An empty id
     * is the id of no entry, not a prefix of all.
     *
     * @throws XMemException.AmbiguousId if several ids have this prefix
     */
    public Optional<Entry> find(StoreSnapshot snapshot, String idOrPrefix) throws IOException {
        Optional<Entry> found = Optional.empty();
        if (idOrPrefix.isEmpty()) {
            return found;
        }
        TreeSet<String> candidates = new TreeSet<>();
        boolean exact = snapshot.logs().stream()
                .anyMatch(log -> !withId(log, idOrPrefix).isEmpty());
        // Before prefixes: the id of a peer's line may begin with the id of an own line.
        List<String> covering = exact ? List.of() : snapshot.covering(idOrPrefix);
        if (!covering.isEmpty()) {
            return find(snapshot, covering.get(0));
        }
        for (LogSnapshot log : snapshot.logs()) {
            for (int ordinal : exact ? withId(log, idOrPrefix) : withPrefix(log, idOrPrefix)) {
                String id = log.index().id(ordinal);
                if (id.equals(idOrPrefix)) {
                    return Optional.of(folded(snapshot, entries.entry(log.index(), ordinal)));
                }
                if (candidates.add(id)) {
                    found = Optional.of(folded(snapshot, entries.entry(log.index(), ordinal)));
                }
            }
        }
        if (candidates.size() > 1) {
            throw new XMemException.AmbiguousId(List.copyOf(candidates));
        }
        return found;
    }

    /** An entry with all events about it; for a directive, the fold of all its lines. */
    public Entry folded(StoreSnapshot snapshot, Entry entry) throws IOException {
        if (entry instanceof Directive) {
            Directive folded = directives.active(snapshot).withId(entry.id());
            return folded == null ? entry : folded;
        }
        return outcomes.folded(snapshot, entry);
    }

    /** The lines with this id, newest first. */
    private static List<Integer> withId(LogSnapshot log, String id) {
        Postings exact = log.index().withShownId(id);
        List<Integer> ordinals = new ArrayList<>();
        for (int i = exact.countBelow(log.count()) - 1; i >= 0; i--) {
            if (log.shows(exact.at(i))) {
                ordinals.add(exact.at(i));
            }
        }
        return ordinals;
    }

    /** The lines that are shown under an id with this prefix, newest first. Scans all lines. */
    private static List<Integer> withPrefix(LogSnapshot log, String prefix) {
        List<Integer> ordinals = new ArrayList<>();
        for (int ordinal = log.count() - 1; ordinal >= 0; ordinal--) {
            boolean entry = log.shows(ordinal) && !log.index().isEvent(ordinal);
            if (entry && log.index().id(ordinal).startsWith(prefix)) {
                ordinals.add(ordinal);
            }
        }
        return ordinals;
    }
}
