package dev.xmem.core.answer.render;

import dev.xmem.Match;

/**
 * A match and what became of its advice.
 *
 * @param worked sessions that it helped
 * @param failed sessions that it did not
 * @param stale whether nothing confirmed it for long
 */
public record AdvisedMatch(Match match, int worked, int failed, boolean stale) {
    /** Tried, and it never helped. */
    boolean neverHelped() {
        return worked == 0 && failed > 0;
    }

    /** What is to be known before it is relied on; empty if nobody voted and nothing is old. */
    String record() {
        String votes = worked + failed == 0 ? "unverified" : "worked " + worked + " of " + (worked + failed);
        return stale ? votes + ", old" : votes;
    }
}
