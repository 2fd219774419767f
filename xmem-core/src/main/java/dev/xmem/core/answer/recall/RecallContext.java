package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.render.AdviceText.EntryAdvice;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * The input of one recall: a snapshot, and the events of its entries.
 *
 * @param cache keeps digests of families
 * @param hasEvents whether any entry has votes or amendments
 * @param peerTrust the factor of the scores of peers' entries
 * @param nowMillis the time of the recall
 */
record RecallContext(
        StoreSnapshot snapshot,
        EntryReader entries,
        Outcomes outcomes,
        AmendmentIndex amendments,
        ByteCache cache,
        boolean hasEvents,
        double peerTrust,
        long nowMillis) {
    private static final long CLOCK_SKEW_MILLIS = 60_000;
    private static final int FAIR_SHARE = 16;
    private static final int LOOKED_AT = 4096;

    /**
     * A line of a log, without the events about its entry.
     *
     * @param millis when it was recorded, in milliseconds since 1970
     * @param occurrences more than 1 where a compaction merged several lines
     * @param owner who wrote it
     * @param trust the factor of its score
     */
    record Occurrence(Entry entry, long millis, long occurrences, Origin owner, double trust) {}

    Occurrence line(LogIndex log, int ordinal) throws IOException {
        return new Occurrence(
                entries.entry(log, ordinal),
                millis(log, ordinal),
                log.lines().occurrences(ordinal),
                log.origin(ordinal),
                log.origin().own() ? 1 : peerTrust);
    }

    /** The time of a line; a time far in the future becomes about now. */
    long millis(LogIndex log, int ordinal) {
        return Math.min(log.lines().time(ordinal), maxMillis());
    }

    /** The time that later times count as. */
    long maxMillis() {
        return nowMillis + CLOCK_SKEW_MILLIS;
    }

    /** The votes and amendments of an entry. */
    EntryState state(Entry entry) throws IOException {
        return hasEvents ? outcomes.state(snapshot, entry.id()) : EntryState.NONE;
    }

    /** Whether a line is an entry of its own that is neither dismissed nor superseded. */
    boolean shows(LogSnapshot log, int ordinal) {
        return log.shows(ordinal) && !amendments.hides(log.index(), ordinal);
    }

    /** Whether every line of a log is shown and counts as one occurrence. */
    boolean isPlain(LogSnapshot log) {
        return amendments == AmendmentIndex.EMPTY && log.isPlain();
    }

    /** The entry of a line with all events about it, and its score. */
    Candidate candidate(Occurrence line, Match.MatchType type, double base, String why, int sessions)
            throws IOException {
        EntryState state = state(line.entry());
        EntryAdvice says = new EntryAdvice(outcomes.folded(line.entry(), state));
        return Candidate.of(line, state, says, type, base, why, sessions, nowMillis);
    }

    /**
     * The lines of a log in their order, those after the first {@value #FAIR_SHARE} of an owner behind the others: no
     * replica crowds out the others where the number of peers' lines that are read is bounded.
     */
    static <T> List<T> fairly(LogIndex log, List<T> lines, ToIntFunction<T> ordinal) {
        if (log.origin().own() || lines.size() <= FAIR_SHARE) {
            return lines;
        }
        List<T> first = new ArrayList<>(lines.size());
        List<T> rest = new ArrayList<>();
        Map<String, Integer> lineCounts = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            T line = lines.get(i);
            boolean fair = i < LOOKED_AT
                    && lineCounts.merge(log.origin(ordinal.applyAsInt(line)).replica(), 1, Integer::sum) <= FAIR_SHARE;
            (fair ? first : rest).add(line);
        }
        first.addAll(rest);
        return first;
    }
}
