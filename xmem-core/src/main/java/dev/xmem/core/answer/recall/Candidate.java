package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.EntryState;

/**
 * An entry that was found, and what speaks for it.
 *
 * @param base how near it is, 0 to .8
 * @param why in which way it is near
 * @param millis when it was recorded, in milliseconds since 1970
 * @param support what else speaks for it, 0 to .2: see {@link EvidenceScore}
 * @param trust what its score is multiplied by: 1 for one's own, less for what others published
 */
record Candidate(
        Entry entry,
        MatchType matchType,
        double base,
        String why,
        long millis,
        EntryState state,
        double support,
        double trust)
        implements Match {
    @Override
    public double score() {
        return trust * (base + support);
    }

    @Override
    public String explanation() {
        StringBuilder because = new StringBuilder(why);
        if (state.pinned()) {
            because.append("; pinned");
        }
        if (state.followed() > 0) {
            because.append("; worked ").append(state.worked()).append(" of ").append(state.followed());
        }
        if (state.irrelevant() > 0) {
            because.append("; irrelevant to ").append(state.irrelevant());
        }
        return because.toString();
    }
}
