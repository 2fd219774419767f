package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.answer.render.AdviceText;
import dev.xmem.core.answer.render.AdviceText.EntryAdvice;
import dev.xmem.core.base.json.StoredEntries;

/**
 * An entry that may be shown as advice.
 *
 * @param base the score of the match itself, 0 to 0.8
 * @param why why the entry matches
 * @param millis when it was recorded, in milliseconds since 1970
 * @param evidence the {@link EvidenceScore}, 0 to 0.2
 * @param recency the part of it that gets less with time
 * @param own whether this replica recorded it
 * @param trust the factor of the score: 1 for an entry of this replica, less for one of a peer
 * @param layer whose memory it is from
 * @param says what advice says of it
 */
record Candidate(
        Entry entry,
        MatchType matchType,
        double base,
        String why,
        long millis,
        EntryState state,
        double evidence,
        double recency,
        boolean own,
        double trust,
        Layer layer,
        EntryAdvice says)
        implements Match {
    /** The entry of a line whose votes are known. */
    static Candidate of(
            Occurrence line,
            EntryState state,
            EntryAdvice says,
            MatchType type,
            double base,
            String why,
            int sessions,
            long nowMillis) {
        double recency = EvidenceScore.recency(state, line.millis(), nowMillis);
        double evidence = EvidenceScore.of(state, recency, sessions);
        boolean own = line.owner().own();
        return new Candidate(
                says.entry(),
                type,
                base,
                why,
                line.millis(),
                state,
                evidence,
                recency,
                own,
                line.trust(),
                Layer.PROJECT,
                says);
    }

    /** The same entry as another store shows it that asks this layer. */
    Candidate from(Layer asked) {
        Entry shown = StoredEntries.shownAs(entry, entry.id() + asked.suffix());
        return new Candidate(shown, matchType, base, why, millis, state, evidence, recency, own, trust, asked, says);
    }

    /** The better one of two entries that say the same, with the votes on both; votes on a peer's do not count. */
    Candidate and(Candidate other) {
        if (own != other.own) {
            return own ? this : other;
        }
        Candidate best = score() >= other.score() ? this : other;
        EntryState votes = state.and(other.state);
        double more = EvidenceScore.of(votes, best.recency, 1) - EvidenceScore.of(best.state, best.recency, 1);
        return new Candidate(
                best.entry,
                best.matchType,
                best.base,
                best.why,
                best.millis,
                votes,
                best.evidence + more,
                best.recency,
                best.own,
                best.trust,
                best.layer,
                best.says);
    }

    /** When the entry was recorded or last helped, in milliseconds since 1970. */
    long confirmedMillis() {
        return Math.max(millis, state.lastWorkedMillis());
    }

    /** Whether both scores, of matches of one type in one family, are the same at any time. */
    boolean hasScoreOf(Candidate other) {
        return confirmedMillis() == other.confirmedMillis()
                && trust == other.trust
                && base == other.base
                && state.worked() == other.state.worked()
                && state.failed() == other.state.failed()
                && state.pinned() == other.state.pinned();
    }

    @Override
    public double score() {
        return trust * (base + evidence);
    }

    @Override
    public String explanation() {
        return why
                + (state.pinned() ? "; pinned" : "")
                + (state.followed() > 0 ? "; " + AdviceText.votes(state.worked(), state.failed()) : "")
                + (state.irrelevant() > 0 ? "; irrelevant to " + state.irrelevant() : "");
    }
}
