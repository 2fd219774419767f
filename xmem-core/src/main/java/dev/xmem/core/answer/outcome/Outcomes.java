package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was said of entries. The index knows the lines by their targets; folded states are cached until another
 * line speaks of the entry. Thread-safe.
 */
public final class Outcomes {
    private static final int STATE_BYTES = 400;
    private static final int ID_BYTES = 80;

    private final EntryReader entries;
    private final LineCodec codec;
    private final ByteCache cache;
    private volatile @Nullable KnownLedger known;

    /** Outcomes read with this reader; states are kept in this cache. */
    public Outcomes(EntryReader entries, LineCodec codec, ByteCache cache) {
        this.entries = entries;
        this.codec = codec;
        this.cache = cache;
    }

    /** Its equality is written out: what a record brings by itself is made when it is first asked for, and takes 20 ms. */
    private record Key(Outcomes of, String id) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && of == key.of && id.equals(key.id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    /** Lines of one log that speak of one entry: so many. */
    private record Part(Object log, int lines) {}

    /** Under which ids lines may speak of an entry, as lines with its id in these logs say. */
    private record KnownIds(List<Part> said, List<String> ids) {}

    /**
     * A folded state.
     *
     * @param events how many lines speak of any entry
     * @param parts how many speak of this one
     * @param successors whether the entries were there that are said to replace it
     */
    private record KnownState(List<Part> events, List<Part> parts, Map<String, Boolean> successors, EntryState state) {
        boolean holds(StoreSnapshot snapshot) {
            return successors.equals(areThere(snapshot, successors.keySet()));
        }
    }

    private record IdsKey(Outcomes of, String id) {}

    /** What was found out, in which logs, and the replacements that were not there. */
    private record KnownLedger(List<Part> parts, List<Object> logs, Set<String> missing, AmendmentIndex ledger) {}

    /** What all lines of a snapshot say of the entry that is shown under an id. */
    public EntryState state(StoreSnapshot snapshot, String id) throws IOException {
        Key key = new Key(this, id);
        // A line may cover thousands: each of them is asked about when something was said since, not each time.
        List<String> covered = coveredBy(snapshot, id);
        boolean many = !covered.isEmpty();
        List<Part> events = many ? events(snapshot, id) : List.of();
        KnownState before = (KnownState) cache.get(key);
        if (before != null && !before.holds(snapshot)) {
            before = null;
        }
        if (many && before != null && before.events.equals(events)) {
            return before.state;
        }
        List<String> ids = ids(id, covered);
        List<Part> parts = parts(snapshot, ids);
        if (parts.isEmpty() && !many) {
            return EntryState.NONE;
        }
        KnownState now;
        if (before == null || !before.parts.equals(parts)) {
            EventFold fold = fold(snapshot, ids);
            Map<String, Boolean> successors = areThere(snapshot, fold.successors());
            EntryState state = fold.state(successor -> successors.getOrDefault(successor, true));
            now = new KnownState(events, parts, successors, state);
        } else if (before.events.equals(events)) {
            return before.state;
        } else {
            now = new KnownState(events, parts, before.successors, before.state);
        }
        cache.put(key, now, STATE_BYTES);
        return now.state;
    }

    private static Map<String, Boolean> areThere(StoreSnapshot snapshot, Set<String> successors) {
        if (successors.isEmpty()) {
            return Map.of();
        }
        return successors.stream().collect(Collectors.toMap(id -> id, id -> isThere(snapshot, id)));
    }

    /** Whether an entry is there; where archives were left out it may be in one. */
    private static boolean isThere(StoreSnapshot snapshot, String id) {
        return !snapshot.whole() || snapshot.has(id) || snapshot.has(withoutDigest(id));
    }

    /** Whether a session has voted on an entry. */
    public boolean hasVoted(StoreSnapshot snapshot, String id, String session) throws IOException {
        return fold(snapshot, ids(id, coveredBy(snapshot, id))).hasVoteOf(session);
    }

    /** An entry as all lines of a snapshot say. */
    public Entry folded(StoreSnapshot snapshot, Entry entry) throws IOException {
        return folded(entry, state(snapshot, entry.id()));
    }

    /** An entry of which this was said. */
    public Entry folded(Entry entry, EntryState state) {
        return state.isNone() ? entry : AmendedEntry.of(codec, entry, state);
    }

    /** Which entries of a snapshot are hidden or carry other tags. */
    public AmendmentIndex ledger(StoreSnapshot snapshot) throws IOException {
        List<Part> parts = new ArrayList<>();
        for (LogSnapshot log : snapshot.logs()) {
            int lines = AmendmentIndex.amendments(log).countBelow(log.count());
            if (lines > 0) {
                parts.add(new Part(log.index().identity(), lines));
            }
        }
        if (parts.isEmpty()) {
            return AmendmentIndex.EMPTY;
        }
        List<Object> logs =
                snapshot.logs().stream().map(log -> log.index().identity()).toList();
        KnownLedger last = known;
        // Logs only grow: what was there is there, as long as they are the same.
        if (last == null
                || !last.parts.equals(parts)
                || !last.logs.equals(logs)
                || last.missing.stream().anyMatch(id -> isThere(snapshot, id))) {
            Set<String> successors = new HashSet<>();
            AmendmentIndex ledger = AmendmentIndex.of(this, snapshot, amended(snapshot, successors));
            successors.removeIf(id -> isThere(snapshot, id));
            last = new KnownLedger(parts, logs, Set.copyOf(successors), ledger);
            known = last;
        }
        return last.ledger;
    }

    /** The entries that were amended; puts those that replace some into a set. */
    private Set<String> amended(StoreSnapshot snapshot, Set<String> successors) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (LogSnapshot log : snapshot.logs()) {
            Postings amendments = AmendmentIndex.amendments(log);
            for (int i = amendments.countBelow(log.count()) - 1; i >= 0; i--) {
                Entry line = entries.entry(log.index(), amendments.at(i));
                String by = StoredEntries.field(line, "by");
                if (by != null) {
                    successors.add(log.index().origin().shown(by));
                }
                String id = StoredEntries.field(line, "target");
                String shown = log.index().origin().shown(Objects.requireNonNullElse(id, ""));
                ids.add(shown);
                // What is said of a line holds for the one that covers it.
                ids.addAll(snapshot.covering(shown));
            }
        }
        return ids;
    }

    /** The ids under which lines may speak of an entry: the one it is shown under, and the one before it had a namesake. */
    private static List<String> ids(String id, List<String> covered) {
        String plain = withoutDigest(id);
        if (!plain.equals(id)) {
            return List.of(id, plain);
        }
        if (covered.isEmpty()) {
            return List.of(id);
        }
        List<String> ids = new ArrayList<>(covered);
        ids.add(id);
        return ids;
    }

    /** The ids of the lines that the lines with this id cover; most often none. Not to be changed. */
    public List<String> coveredBy(StoreSnapshot snapshot, String id) throws IOException {
        List<Part> said = withId(snapshot, id);
        if (said.isEmpty()) {
            return List.of();
        }
        IdsKey key = new IdsKey(this, id);
        KnownIds before = (KnownIds) cache.get(key);
        if (before != null && before.said.equals(said)) {
            return before.ids;
        }
        List<String> ids = snapshot.coveredBy(id);
        cache.put(key, new KnownIds(said, ids), ID_BYTES * (ids.size() + 2));
        return ids;
    }

    /** Where lines with an id may cover others. */
    private static List<Part> withId(StoreSnapshot snapshot, String id) {
        List<Part> said = List.of();
        for (LogSnapshot log : snapshot.logs()) {
            String own = log.index().covers() ? log.index().origin().ownId(id) : "";
            int lines = own.isEmpty() ? 0 : log.index().withId(own).countBelow(log.count());
            if (lines > 0) {
                said = said.isEmpty() ? new ArrayList<>() : said;
                said.add(new Part(log.index().identity(), lines));
            }
        }
        return said;
    }

    /** Whatever may change the state of an entry: the lines with its id, and those that speak of any entry. */
    private static List<Part> events(StoreSnapshot snapshot, String id) {
        List<Part> events = new ArrayList<>(withId(snapshot, id));
        for (LogSnapshot log : snapshot.logs()) {
            events.add(new Part(
                    log.index().identity(),
                    log.index().lines().postings(IndexedField.EVENT, "").countBelow(log.count())));
        }
        return events;
    }

    /** The id that an entry is shown under while no other has the same. */
    static String withoutDigest(String id) {
        int digest = id.indexOf('~');
        int owner = id.indexOf('@', Math.max(0, digest));
        return digest < 0 ? id : id.substring(0, digest) + (owner < 0 ? "" : id.substring(owner));
    }

    private static List<Part> parts(StoreSnapshot snapshot, List<String> ids) {
        List<Part> parts = List.of();
        for (String each : ids) {
            for (LogSnapshot log : snapshot.logs()) {
                for (String name : log.index().origin().names(each)) {
                    int lines = log.index()
                            .lines()
                            .postings(IndexedField.TARGET, name)
                            .countBelow(log.count());
                    if (lines > 0) {
                        parts = parts.isEmpty() ? new ArrayList<>() : parts;
                        parts.add(new Part(log.index().identity(), lines));
                    }
                }
            }
        }
        return parts;
    }

    private EventFold fold(StoreSnapshot snapshot, List<String> ids) throws IOException {
        EventFold fold = new EventFold();
        for (String each : ids) {
            for (LogSnapshot log : snapshot.logs()) {
                for (String name : log.index().origin().names(each)) {
                    add(
                            fold,
                            log,
                            log.index().lines().postings(IndexedField.TARGET, name),
                            log.index().origin().mayAmend(each));
                }
            }
        }
        return fold;
    }

    /** Adds what lines of a log say: votes, and amendments where their owner may make some. */
    private void add(EventFold fold, LogSnapshot log, Postings lines, boolean amendments) throws IOException {
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            EntryEvent event = EntryEvent.of(
                    entries.entry(log.index(), lines.at(i)), log.index().origin());
            if (amendments || event.session() != null) {
                fold.add(event);
            }
        }
    }
}
