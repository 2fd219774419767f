package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.BetaDistribution;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.recall.RecallContext.Occurrence;
import dev.xmem.core.answer.render.AdviceText;
import dev.xmem.core.answer.render.AdviceText.EntryAdvice;
import dev.xmem.core.base.json.StoredEntries;

/**
 * An entry that may be shown as advice. Evidence adds at most 0.2 to the score of its match. The base scores of
 * different match types differ by at least as much, so evidence only decides among matches of one type:
 *
 * <pre>
 * 0.05 · (1 + worked) / (2 + worked + failed)      outcomes: the mean of the Beta posterior over a flat prior
 *                                                  (Laplace's rule of succession)
 * 0.03 · 2^(−age / 90 days)                        recency, with exponential decay: of the entry or its last success
 * 0.02 · (1 − 1 / sessions)                        repetition: the sessions in which its family was seen
 * 0.10                                             if a user pinned it
 * </pre>
 *
 * The posterior: Gelman et al., <cite>Bayesian Data Analysis</cite>, 3rd edition, section 2.1.
 *
 * @param base the score of the match itself, 0 to 0.8
 * @param why why the entry matches
 * @param millis when it was recorded, in milliseconds since 1970
 * @param evidence the evidence, 0 to 0.2
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
    private static final double OUTCOMES = 0.05;
    private static final double RECENCY = 0.03;
    private static final double REPETITION = 0.02;
    private static final double PINNED = 0.1;
    private static final double HALF_LIFE_MILLIS = 90.0 * 86_400_000;
    private static final double LN_2 = 0.6931471805599453;

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
        double recency = recency(state, line.millis(), nowMillis);
        double evidence = evidence(state, recency, sessions);
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

    /** The part of the evidence that halves in 90 days. */
    private static double recency(EntryState state, long millis, long nowMillis) {
        long confirmed = Math.min(nowMillis, Math.max(millis, state.lastWorkedMillis()));
        return RECENCY * StrictMath.exp(-LN_2 * (nowMillis - confirmed) / HALF_LIFE_MILLIS);
    }

    /** How long it takes until a part that halves in 90 days is this fraction of itself, in milliseconds. */
    static double millisUntil(double fraction) {
        return -HALF_LIFE_MILLIS * StrictMath.log(fraction) / LN_2;
    }

    private static double evidence(EntryState state, double recency, int sessions) {
        double outcomes =
                BetaDistribution.FLAT.and(state.worked(), state.failed()).mean();
        return OUTCOMES * outcomes
                + recency
                + REPETITION * (1 - 1.0 / Math.max(1, sessions))
                + (state.pinned() ? PINNED : 0);
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
        double more = evidence(votes, best.recency, 1) - evidence(best.state, best.recency, 1);
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
