package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.EntryState;
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
        boolean own,
        double trust,
        Layer layer,
        EntryAdvice says)
        implements Match {
    /** The same entry as another store shows it that asks this layer. */
    Candidate from(Layer asked) {
        Entry shown = StoredEntries.shownAs(entry, entry.id() + asked.suffix());
        return new Candidate(shown, matchType, base, why, millis, state, evidence, own, trust, asked, says);
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
