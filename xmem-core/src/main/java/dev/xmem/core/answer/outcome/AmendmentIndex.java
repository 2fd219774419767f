package dev.xmem.core.answer.outcome;

import dev.xmem.core.base.json.LowerCase;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The amended entries of a snapshot: which are hidden, which have other tags. Thread-safe. */
public final class AmendmentIndex {
    /** No amendments. */
    public static final AmendmentIndex EMPTY = new AmendmentIndex(Map.of());

    /** Enough for what people and programs replace; a log may claim a chain of any length. */
    private static final int MAX_REPLACED = 64;

    private final Object identity = new Object();
    private final Map<String, EntryState> states;
    /** The ids, as lines have them, of entries that may be amended. */
    private final Set<String> ownIds = new HashSet<>();

    /** The ids of entries that are replaced, by the id of the one in their place. */
    private final Map<String, List<String>> replaced = new HashMap<>();

    private final boolean anyWithoutId;
    private final boolean retags;
    private final boolean hidesAny;
    private final Map<LogIndex, Candidates> candidates = new ConcurrentHashMap<>();

    /** The lines of a log with one of these ids, as far as they were looked up: those below a count. */
    private record Candidates(BitSet lines, int count) {
        boolean mayHave(int ordinal) {
            return ordinal >= count || lines.get(ordinal);
        }
    }

    private AmendmentIndex(Map<String, EntryState> states) {
        this.states = states;
        boolean withoutId = false;
        boolean hides = false;
        boolean tagged = false;
        for (Map.Entry<String, EntryState> each : states.entrySet()) {
            String plain = Outcomes.withoutDigest(each.getKey());
            int owner = plain.indexOf('@');
            ownIds.add(plain);
            ownIds.add(owner < 0 ? plain : plain.substring(0, owner));
            withoutId |= plain.startsWith("note-") || plain.startsWith("line-");
            hides |= each.getValue().hidden();
            tagged |= !each.getValue().tagged().isEmpty();
            String by = each.getValue().supersededBy();
            if (by != null) {
                replaced.computeIfAbsent(by, first -> new ArrayList<>(1)).add(each.getKey());
            }
        }
        anyWithoutId = withoutId;
        hidesAny = hides;
        retags = tagged;
    }

    static AmendmentIndex of(Outcomes outcomes, StoreSnapshot snapshot, Set<String> amended) throws IOException {
        Map<String, EntryState> states = new HashMap<>();
        for (String id : amended) {
            states.put(id, outcomes.state(snapshot, id));
        }
        return new AmendmentIndex(states);
    }

    /** The lines of a log with the type of an amendment. */
    static Postings amendments(LogSnapshot log) {
        return log.index().lines().postings(IndexedField.TYPE, Schema.AMENDMENT.type());
    }

    /** A key for caches, which must not keep the logs alive. */
    public Object identity() {
        return identity;
    }

    public boolean isEmpty() {
        return states.isEmpty();
    }

    /** The ids of the entries that an entry replaces, also through another one; of very many the nearest. */
    public Set<String> replacedBy(String id) {
        Set<String> all = new LinkedHashSet<>();
        Deque<String> next = new ArrayDeque<>(List.of(id));
        while (!next.isEmpty() && all.size() < MAX_REPLACED) {
            for (String each : replaced.getOrDefault(next.remove(), List.of())) {
                if (all.add(each)) {
                    next.add(each);
                }
            }
        }
        return all;
    }

    /** Whether the entry of a line is dismissed or superseded. */
    public boolean hides(LogIndex log, int ordinal) {
        return hidesAny
                && (anyWithoutId
                        || candidates.computeIfAbsent(log, this::candidates).mayHave(ordinal))
                && state(log, ordinal).hidden();
    }

    /** The lines of a log that are shadowed or may be dismissed or superseded; null if any line may be. */
    public @Nullable BitSet mayHide(LogSnapshot log) {
        if (hidesAny && anyWithoutId) {
            return null;
        }
        BitSet lines = log.shadowed();
        if (hidesAny) {
            Candidates known = candidates.computeIfAbsent(log.index(), this::candidates);
            lines.or(known.lines);
            lines.set(Math.min(known.count, log.count()), log.count());
        }
        return lines;
    }

    private Candidates candidates(LogIndex log) {
        int count = log.count();
        BitSet lines = new BitSet();
        for (String id : ownIds) {
            ordinals(log.withId(id), Integer.MAX_VALUE).forEach(lines::set);
        }
        return new Candidates(lines, count);
    }

    /** Counts the visible entries that are dismissed or superseded, as far as their lines have an id. */
    public LogStatistics hidden(StoreSnapshot snapshot) throws IOException {
        LogStatistics counts = new LogStatistics();
        for (LogSnapshot log : snapshot.logs()) {
            BitSet lines = candidates(log.index()).lines;
            lines.andNot(log.shadowed());
            for (int line = lines.nextSetBit(0); line >= 0 && line < log.count(); line = lines.nextSetBit(line + 1)) {
                if (hides(log.index(), line)) {
                    counts.add(log.index().fields(line));
                }
            }
        }
        return counts;
    }

    private static IntStream ordinals(Postings lines, int cutoff) {
        return IntStream.range(0, lines.countBelow(cutoff)).map(lines::at);
    }

    private EntryState state(LogIndex log, int ordinal) {
        String ownId = log.lines().id(ordinal);
        if (ownId == null ? !anyWithoutId : !ownIds.contains(ownId)) {
            return EntryState.NONE;
        }
        String id = log.id(ordinal);
        EntryState state = states.get(id);
        if (state == null) {
            state = states.get(Outcomes.withoutDigest(id));
        }
        return state == null ? EntryState.NONE : state;
    }

    /** The lines of a log whose entries have a tag after all amendments. */
    public Postings withTag(LogSnapshot log, String tag) {
        Postings written = log.index().withName(IndexedField.TAG, tag);
        if (!retags) {
            return written;
        }
        String lower = LowerCase.of(tag);
        BitSet lines = candidates(log.index()).lines;
        ordinals(written, log.count()).forEach(lines::set);
        return Postings.of(lines.stream()
                .filter(ordinal ->
                        ordinal < log.count() && has(log.index(), ordinal, lower, written.contains(ordinal))));
    }

    private boolean has(LogIndex log, int ordinal, String tag, boolean written) {
        List<String> own = written ? List.of(tag) : List.of();
        return state(log, ordinal).tags(own).stream()
                .anyMatch(each -> LowerCase.of(each).equals(tag));
    }
}
