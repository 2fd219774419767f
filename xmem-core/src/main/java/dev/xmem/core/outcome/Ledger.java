package dev.xmem.core.outcome;

import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.record.Schema;
import dev.xmem.core.segment.Postings;
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
public final class Ledger {
    /** Nothing was amended. */
    public static final Ledger EMPTY = new Ledger(Map.of());

    private final Map<String, State> states;
    /** The ids in lines whose entries have to be looked at more closely. */
    private final Set<String> own = new HashSet<>();

    private final boolean withoutId;
    private final boolean retags;
    private final boolean hidesSome;
    /** The lines of a log among which those are that may be hidden. */
    private final Map<LogIndex, BitSet> suspects = new ConcurrentHashMap<>();

    private Ledger(Map<String, State> states) {
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
        for (State state : states.values()) {
            hidden |= state.hidden();
            tagged |= !state.tagged().isEmpty();
        }
        this.withoutId = anonymous;
        this.hidesSome = hidden;
        this.retags = tagged;
    }

    static Ledger of(Outcomes outcomes, Snapshot snapshot, Set<String> amended) throws IOException {
        Map<String, State> states = new HashMap<>();
        for (String id : amended) {
            states.put(id, outcomes.state(snapshot, id));
        }
        return new Ledger(states);
    }

    /** The amendments of a log, and lines that only look like some. */
    static Postings amendments(LogView log) {
        return log.index().withType(Schema.AMENDMENT.type());
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

    private State state(LogIndex log, int ordinal) {
        String inLine = log.ownId(ordinal);
        if (inLine == null ? !withoutId : !own.contains(inLine)) {
            return State.NONE;
        }
        String id = log.id(ordinal);
        State state = states.get(id);
        if (state == null) {
            state = states.get(Outcomes.withoutDigest(id));
        }
        return state == null ? State.NONE : state;
    }

    /** The lines of a log whose entries have a tag now. */
    public Postings withTag(LogView log, String tag) {
        Postings written = log.index().withTag(tag);
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

    private IntStream retagged(LogView log) {
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
