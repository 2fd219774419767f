package dev.xmem.core.answer.recall;

import dev.xmem.core.answer.recall.Recall.Found;
import dev.xmem.core.answer.render.AdviceText;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The text of the advice about a family and a subject, kept with the digest of the family. A recall of both has the
 * same text and the same matches as long as the digest holds, until the time at which an age, the order of the entries
 * or a remark on them may change. Their scores depend on the moment: the matches are ranked again when they are read.
 * Immutable. Decision: docs/adr/0108-advice-that-was-told.md.
 *
 * @param found what was found, without the matches
 * @param matches how many there are
 */
record ToldAdvice(Found found, int matches, AdviceText.Block block, Instant from, Instant until) {
    private static final int OBJECT_BYTES = 400;
    private static final int LEFT_OUT_BYTES = 150;
    /** Scores that differ by less may be rounded to the same number. */
    private static final double ROUNDING = 1e-13;

    /** About what it takes in memory, in bytes. */
    int bytes() {
        long bytes = OBJECT_BYTES + 2L * (block.text().length() + found.reason().length());
        for (Map.Entry<String, String> each : found.leftOut().entrySet()) {
            bytes += LEFT_OUT_BYTES
                    + 2L * (each.getKey().length() + each.getValue().length());
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    boolean holds(Instant now) {
        return !now.isBefore(from) && now.isBefore(until);
    }

    /**
     * Until when candidates of one match type, best first, stay in their order. What recency adds to their scores gets
     * less by the same factor for all, so the scores of two entries become equal at most once.
     */
    static long orderedUntil(List<Candidate> ranked, long nowMillis) {
        long until = Long.MAX_VALUE;
        for (int i = 0; i < ranked.size(); i++) {
            Candidate candidate = ranked.get(i);
            if (candidate.confirmedMillis() > nowMillis) {
                return nowMillis; // what recency adds to its score does not get less yet
            }
            until = i == 0 ? until : Math.min(until, orderedUntil(ranked.get(i - 1), candidate, nowMillis));
        }
        return until;
    }

    private static long orderedUntil(Candidate better, Candidate next, long nowMillis) {
        if (better.hasScoreOf(next)) {
            return Long.MAX_VALUE;
        }
        double fading = better.trust() * better.recency() - next.trust() * next.recency();
        double lasting = better.score() - next.score() - fading;
        if (lasting + fading < ROUNDING) {
            return nowMillis;
        }
        return lasting >= ROUNDING
                ? Long.MAX_VALUE
                : (long) (nowMillis + Candidate.millisUntil((ROUNDING - lasting) / fading));
    }
}
