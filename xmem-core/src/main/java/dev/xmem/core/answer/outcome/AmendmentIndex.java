package dev.xmem.core.answer.outcome;

import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.IndexedField;
import dev.xmem.core.store.segment.Postings;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** The entries of a snapshot that were amended. Immutable. */
public final class AmendmentIndex {
    /** Nothing was amended. */
    public static final AmendmentIndex EMPTY = new AmendmentIndex(Map.of());

    private final Map<String, EntryState> states;
    /** The ids in lines whose entries have to be looked at more closely. */
    private final Set<String> own = new HashSet<>();

    private final boolean withoutId;
    private final boolean retags;
    private final boolean hidesSome;
    /** The lines of a log among which those are that may be hidden. */
    private final Map<LogIndex, BitSet> suspects = new ConcurrentHashMap<>();

    private AmendmentIndex(Map<String, EntryState> states) {
        this.states = states;
        boolean anonymous = false;
        boolean hidden = false;
        boolean tagged = false;
        for (String id : states.keySet()) {
            String plain = Outcomes.withoutDigest(id);
            int owner = plain.indexOf('@');
            own.add(plain);
            own.add(owner < 0 ? plain : plain.substring(0, owner));
            anonymous |= id.startsWith("note-") || id.startsWith("line-");
        }
        for (EntryState state : states.values()) {
            hidden |= state.hidden();
            tagged |= !state.tagged().isEmpty();
        }
        this.withoutId = anonymous;
        this.hidesSome = hidden;
        this.retags = tagged;
    }

    static AmendmentIndex of(Outcomes outcomes, StoreSnapshot snapshot, Set<String> amended) throws IOException {
        Map<String, EntryState> states = new HashMap<>();
        for (String id : amended) {
            states.put(id, outcomes.state(snapshot, id));
        }
        return new AmendmentIndex(states);
    }

    /** The amendments of a log, and lines that only look like some. */
    static Postings amendments(LogSnapshot log) {
        return log.index().lines().postings(IndexedField.TYPE, Schema.AMENDMENT.type());
    }

    /** Whether no entry was amended. */
    public boolean isEmpty() {
        return states.isEmpty();
    }

    /** Whether a line's entry is dismissed or superseded. */
    public boolean hides(LogIndex log, int ordinal) {
        return hidesSome
                && (withoutId || suspects.computeIfAbsent(log, this::suspects).get(ordinal))
                && state(log, ordinal).hidden();
    }

    private BitSet suspects(LogIndex log) {
        BitSet lines = new BitSet();
        for (String id : own) {
            Postings withId = log.withId(id);
            IntStream.range(0, withId.countBelow(Integer.MAX_VALUE))
                    .map(withId::at)
                    .forEach(lines::set);
        }
        return lines;
    }

    private EntryState state(LogIndex log, int ordinal) {
        String inLine = log.lines().id(ordinal);
        if (inLine == null ? !withoutId : !own.contains(inLine)) {
            return EntryState.NONE;
        }
        String id = log.id(ordinal);
        EntryState state = states.get(id);
        if (state == null) {
            state = states.get(Outcomes.withoutDigest(id));
        }
        return state == null ? EntryState.NONE : state;
    }

    /** The lines of a log whose entries have a tag now. */
    public Postings withTag(LogSnapshot log, String tag) {
        Postings written = log.index().withName(IndexedField.TAG, tag);
        if (!retags) {
            return written;
        }
        String lower = tag.toLowerCase(Locale.ROOT);
        IntStream before = IntStream.range(0, written.countBelow(log.count())).map(written::at);
        return Postings.of(IntStream.concat(before, retagged(log))
                .filter(ordinal -> has(log.index(), ordinal, lower, written.contains(ordinal)))
                .sorted()
                .distinct());
    }

    private IntStream retagged(LogSnapshot log) {
        return own.stream().flatMapToInt(id -> {
            Postings lines = log.index().withId(id);
            return IntStream.range(0, lines.countBelow(log.count())).map(lines::at);
        });
    }

    private boolean has(LogIndex log, int ordinal, String tag, boolean written) {
        List<String> own = written ? List.of(tag) : List.of();
        return state(log, ordinal).tags(own).stream()
                .anyMatch(each -> each.toLowerCase(Locale.ROOT).equals(tag));
    }
}
