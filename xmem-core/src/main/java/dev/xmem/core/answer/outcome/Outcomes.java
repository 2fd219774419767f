package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the votes and amendments of entries. The index lists the event lines of each entry; this class folds them, and
 * caches a folded state until another line about the entry is added. Thread-safe.
 */
public final class Outcomes {
    private static final int STATE_BYTES = 400;
    private static final int ID_BYTES = 80;

    private final EntryReader entries;
    private final ByteCache cache;
    /** The owner, in the cache, of the ids that entries cover. The owner of cached states is this object. */
    private final Object coveredIds = new Object();

    private volatile @Nullable CachedAmendments cachedAmendments;

    public Outcomes(EntryReader entries, ByteCache cache) {
        this.entries = entries;
        this.cache = cache;
    }

    /** A number of lines of one log. Logs only grow: equal counts mean equal lines. */
    private record LineCount(Object log, int lines) {}

    private record CachedIds(List<LineCount> basis, List<String> ids) {}

    /**
     * A folded state.
     *
     * @param basis the lines it depends on
     * @param successors the entries that are said to replace it, and whether they existed
     */
    private record CachedState(List<LineCount> basis, Map<String, Boolean> successors, EntryState state) {}

    /**
     * The amendments of a snapshot.
     *
     * @param basis the amendment lines of every log
     * @param missing the replacements that did not exist
     */
    private record CachedAmendments(List<LineCount> basis, Set<String> missing, AmendmentIndex index) {}

    /** Whether any entry of a snapshot has votes or amendments. */
    public static boolean areIn(StoreSnapshot snapshot) {
        for (LogSnapshot log : snapshot.logs()) {
            if (log.index().lines().has(IndexedField.EVENT)) {
                return true;
            }
        }
        return false;
    }

    /** The folded state of the entry that is shown under an id. */
    public EntryState state(StoreSnapshot snapshot, String id) throws IOException {
        ByteCache.Key key = new ByteCache.Key(this, id);
        List<String> covered = coveredBy(snapshot, id);
        // A line may cover thousands. Their event lines are only looked up after an event was added to any log.
        List<LineCount> basis = covered.isEmpty() ? eventLines(snapshot, ids(id, covered)) : events(snapshot, id);
        if (basis.isEmpty()) {
            return EntryState.NONE;
        }
        CachedState cached = (CachedState) cache.get(key);
        if (cached == null
                || !cached.basis.equals(basis)
                || !cached.successors.equals(exist(snapshot, cached.successors.keySet()))) {
            EventFold fold = fold(snapshot, ids(id, covered));
            Map<String, Boolean> successors = exist(snapshot, fold.successors());
            EntryState state = fold.state(successor -> successors.getOrDefault(successor, true));
            cached = new CachedState(basis, successors, state);
            cache.put(key, cached, STATE_BYTES);
        }
        return cached.state;
    }

    private static Map<String, Boolean> exist(StoreSnapshot snapshot, Set<String> ids) {
        return ids.isEmpty() ? Map.of() : ids.stream().collect(Collectors.toMap(id -> id, id -> exists(snapshot, id)));
    }

    /** Whether an entry exists; in a snapshot without the archives it may be in one of them. */
    private static boolean exists(StoreSnapshot snapshot, String id) {
        return !snapshot.whole() || snapshot.has(id) || snapshot.has(withoutDigest(id));
    }

    /** Whether a session has voted on an entry. */
    public boolean hasVoted(StoreSnapshot snapshot, String id, String session) throws IOException {
        return fold(snapshot, ids(id, coveredBy(snapshot, id))).hasVoteOf(session);
    }

    /** An entry with all its votes and amendments. */
    public Entry folded(StoreSnapshot snapshot, Entry entry) throws IOException {
        return folded(entry, state(snapshot, entry.id()));
    }

    /** An entry with this state. */
    public Entry folded(Entry entry, EntryState state) {
        return state.isNone() ? entry : rewritten(entry, entry.id(), fields -> state.put(fields, entry));
    }

    /** An entry with changed fields and this id; the entry itself if its line is malformed. */
    public Entry rewritten(Entry entry, String id, Consumer<Map<String, @Nullable Object>> change) {
        try {
            Map<String, @Nullable Object> fields =
                    new LinkedHashMap<>(LineCodec.fields(entry.json().getBytes(StandardCharsets.UTF_8)));
            change.accept(fields);
            LineBuffer line = new LineBuffer();
            LineCodec.write(Schema.of(entry.kind()), fields, line);
            return StoredEntries.of(entry.kind(), Arrays.copyOf(line.array(), line.length() - 1), id);
        } catch (MalformedLineException e) {
            return entry;
        }
    }

    /** The index of the amended entries of a snapshot. */
    public AmendmentIndex amendments(StoreSnapshot snapshot) throws IOException {
        List<LineCount> basis = new ArrayList<>(snapshot.logs().size());
        boolean any = false;
        for (LogSnapshot log : snapshot.logs()) {
            int lines = AmendmentIndex.amendments(log).countBelow(log.count());
            basis.add(new LineCount(log.index().identity(), lines));
            any |= lines > 0;
        }
        if (!any) {
            return AmendmentIndex.EMPTY;
        }
        CachedAmendments cached = cachedAmendments;
        // Logs only grow: an entry that existed still exists as long as the logs are the same.
        if (cached == null
                || !cached.basis.equals(basis)
                || cached.missing.stream().anyMatch(id -> exists(snapshot, id))) {
            Set<String> successors = new HashSet<>();
            AmendmentIndex index = AmendmentIndex.of(this, snapshot, amended(snapshot, successors));
            successors.removeIf(id -> exists(snapshot, id));
            cached = new CachedAmendments(basis, Set.copyOf(successors), index);
            cachedAmendments = cached;
        }
        return cached.index;
    }

    /** The ids of the amended entries. Adds the ids of their replacements to a set. */
    private Set<String> amended(StoreSnapshot snapshot, Set<String> successors) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (LogSnapshot log : snapshot.logs()) {
            Postings amendments = AmendmentIndex.amendments(log);
            for (int i = amendments.countBelow(log.count()) - 1; i >= 0; i--) {
                Entry line = entries.entry(log.index(), amendments.at(i));
                String by = StoredEntries.field(line, "by");
                if (by != null) {
                    successors.add(log.index().origin(amendments.at(i)).shown(by));
                }
                String id = StoredEntries.field(line, "target");
                String shown = log.index().origin(amendments.at(i)).shown(Objects.requireNonNullElse(id, ""));
                ids.add(shown);
                // An event about a line also applies to the line that covers it.
                ids.addAll(snapshot.covering(shown));
            }
        }
        return ids;
    }

    /**
     * The ids that event lines of an entry may name: the id it is shown under, the ids it covers, and the id it had
     * before another entry got the same.
     */
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

    /** The ids of the lines that the lines with this id cover; usually none. Unmodifiable by contract. */
    public List<String> coveredBy(StoreSnapshot snapshot, String id) throws IOException {
        List<LineCount> basis = covering(snapshot, id);
        if (basis.isEmpty()) {
            return List.of();
        }
        ByteCache.Key key = new ByteCache.Key(coveredIds, id);
        CachedIds cached = (CachedIds) cache.get(key);
        if (cached != null && cached.basis.equals(basis)) {
            return cached.ids;
        }
        List<String> ids = snapshot.coveredBy(id);
        cache.put(key, new CachedIds(basis, ids), ID_BYTES * (ids.size() + 2));
        return ids;
    }

    /** The lines with an id, in logs with lines that cover others. */
    private static List<LineCount> covering(StoreSnapshot snapshot, String id) {
        List<LineCount> counts = List.of();
        for (LogSnapshot log : snapshot.logs()) {
            counts = log.index().covers() ? counted(counts, log, log.index().withShownId(id)) : counts;
        }
        return counts;
    }

    /** The lines with an id, and the events about any entry. */
    private static List<LineCount> events(StoreSnapshot snapshot, String id) {
        List<LineCount> counts = covering(snapshot, id);
        for (LogSnapshot log : snapshot.logs()) {
            counts = counted(counts, log, log.index().lines().postings(IndexedField.EVENT, ""));
        }
        return counts;
    }

    /** The counts with that of these lines of a log, unless it has none; usually there is nothing to count. */
    private static List<LineCount> counted(List<LineCount> counts, LogSnapshot log, Postings lines) {
        int count = lines.countBelow(log.count());
        List<LineCount> more = count > 0 && counts.isEmpty() ? new ArrayList<>() : counts;
        if (count > 0) {
            more.add(new LineCount(log.index().identity(), count));
        }
        return more;
    }

    /** The id without the digest that distinguishes entries with the same id. */
    static String withoutDigest(String id) {
        int digest = id.indexOf('~');
        int owner = id.indexOf('@', Math.max(0, digest));
        return digest < 0 ? id : id.substring(0, digest) + (owner < 0 ? "" : id.substring(owner));
    }

    /** The event lines that name one of these ids. */
    private static List<LineCount> eventLines(StoreSnapshot snapshot, List<String> ids) {
        List<LineCount> counts = List.of();
        for (String each : ids) {
            for (LogSnapshot log : snapshot.logs()) {
                counts = counted(counts, log, log.index().naming(IndexedField.TARGET, each));
            }
        }
        return counts;
    }

    private EventFold fold(StoreSnapshot snapshot, List<String> ids) throws IOException {
        EventFold fold = new EventFold();
        for (String each : ids) {
            for (LogSnapshot log : snapshot.logs()) {
                add(fold, log, each);
            }
        }
        return fold;
    }

    /** Adds events of a log: votes, and amendments where the owner of the log may amend the entry. */
    private void add(EventFold fold, LogSnapshot log, String id) throws IOException {
        Postings lines = log.index().naming(IndexedField.TARGET, id);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            Entry line = entries.entry(log.index(), lines.at(i));
            Origin owner = log.index().origin(lines.at(i));
            EntryEvent event = EntryEvent.of(line, owner);
            if (owner.mayAmend(id) || event.session() != null) {
                fold.add(event);
            }
        }
    }
}
