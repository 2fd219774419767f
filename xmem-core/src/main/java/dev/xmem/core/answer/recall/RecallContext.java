package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.AmendmentIndex;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.io.IOException;

/**
 * What one recall reads: a snapshot at a time, and what became of its entries.
 *
 * @param peerTrust what the scores of entries of others are multiplied by
 * @param nowMillis the time that everything is held against
 */
record RecallContext(
        StoreSnapshot snapshot,
        EntryReader entries,
        Outcomes outcomes,
        AmendmentIndex ledger,
        double peerTrust,
        long nowMillis) {
    private static final long CLOCK_SKEW_MILLIS = 60_000;

    /** The entry of a line, as it stands there. */
    Occurrence line(LogIndex log, int ordinal) throws IOException {
        return new Occurrence(
                entries.entry(log, ordinal),
                millis(log, ordinal),
                log.lines().occurrences(ordinal),
                log.origin().own() ? 1 : peerTrust);
    }

    /** The time of a line; one far ahead is taken for about now. */
    long millis(LogIndex log, int ordinal) {
        return Math.min(log.lines().time(ordinal), nowMillis + CLOCK_SKEW_MILLIS);
    }

    /** Whether a line is an entry of its own that was neither dismissed nor superseded. */
    boolean shows(LogSnapshot log, int ordinal) {
        return log.shows(ordinal) && !ledger.hides(log.index(), ordinal);
    }

    /** Whether every line of a log is shown, and stands for one entry. */
    boolean isPlain(LogSnapshot log) {
        return ledger == AmendmentIndex.EMPTY && log.isPlain();
    }

    /** An entry that was found, with what was said of it since. */
    Candidate found(Occurrence line, Match.MatchType likeness, double base, String why, int sessions)
            throws IOException {
        EntryState state = outcomes.state(snapshot, line.entry().id());
        Entry entry = outcomes.folded(line.entry(), state);
        double support = EvidenceScore.of(state, line.millis(), sessions, nowMillis);
        return new Candidate(entry, likeness, base, why, line.millis(), state, support, line.trust());
    }
}
