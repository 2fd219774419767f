package dev.xmem.core.answer.recall;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.render.AdviceText;
import dev.xmem.core.answer.render.AdviceText.Seen;
import dev.xmem.core.answer.render.AdvisedMatch;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds what is known of a failure. Reads only. The order: failures of the same context hash, those about the same subject
 * before the others; where none of these has a lesson or an answer, similar failures of the same tool; then successes
 * that answer. Within each, what sessions made of it, and how recent it is: {@link EvidenceScore}. What is not near enough is
 * not shown, and what did {@link HarmDetector} is withheld.
 */
public final class Recall {
    private static final long STALE_MILLIS = 180L * 86_400_000;

    private final EntryReader entries;
    private final Outcomes outcomes;
    private final TokenEstimator tokens;
    private final AdviceText text;
    private final double peerTrust;

    /**
     * A recall that reads entries with this reader, measures its text with this estimator and fences it so.
     *
     * @param peerTrust what the scores of entries of others are multiplied by
     */
    public Recall(EntryReader entries, Outcomes outcomes, TokenEstimator tokens, Fence fence, double peerTrust) {
        this.entries = entries;
        this.outcomes = outcomes;
        this.tokens = tokens;
        this.text = new AdviceText(tokens, fence);
        this.peerTrust = peerTrust;
    }

    /** What is known of a failure. */
    public Advice recall(StoreSnapshot snapshot, RecallQuery question, Instant now) throws IOException {
        RecallContext reading = new RecallContext(
                snapshot, entries, outcomes, outcomes.ledger(snapshot), peerTrust, now.toEpochMilli());
        String hash = question.hash().value();
        FailureFamily family = FailureFamily.of(reading, hash);
        List<Candidate> failures = family.failures(question.hash().subject(), hash);
        AdviceFilter judged = new AdviceFilter(family);
        List<Candidate> exact = judged.kept(failures);
        List<Candidate> answers = judged.kept(new KnownFixes(reading).to(exact, family));
        String nearest = "";
        List<Candidate> similar = new ArrayList<>();
        if (answers.isEmpty() && !teach(exact)) {
            SimilarFailures kin = new SimilarFailures(reading, question);
            for (Candidate found : judged.kept(kin.found())) {
                (found.entry() instanceof Failure ? similar : answers).add(found);
            }
            nearest = kin.nearest() == 0
                    ? ""
                    : "; the nearest of its tool is like it by " + Math.round(100 * kin.nearest()) / 100.0 + " of "
                            + SimilarFailures.FLOOR + " needed";
        }
        List<Candidate> ranked = new ArrayList<>(ordered(exact));
        ranked.addAll(ordered(similar));
        ranked.addAll(ordered(answers));
        if (ranked.isEmpty()) {
            return judged.withheld() > 0
                    ? SimpleAdvice.without(Advice.Status.WITHHELD, judged.reason() + " Family: " + hash)
                    : SimpleAdvice.nothing("nothing relevant is known of " + hash + nearest + judged.reason());
        }
        return advice(ranked, family, judged, question, now);
    }

    private static boolean teach(List<Candidate> exact) {
        for (Candidate found : exact) {
            if (found.entry() instanceof Failure failure && failure.patternAvoid() != null) {
                return true;
            }
        }
        return false;
    }

    private static List<Candidate> ordered(List<Candidate> found) {
        found.sort((a, b) -> Double.compare(b.score(), a.score()));
        return found;
    }

    private Advice advice(
            List<Candidate> ranked, FailureFamily family, AdviceFilter judged, RecallQuery question, Instant now) {
        long latest = family.lastMillis();
        Seen seen = new Seen(family.seen(), family.namedSessions(), latest == 0 ? null : Instant.ofEpochMilli(latest));
        List<AdvisedMatch> shown = new ArrayList<>(ranked.size());
        for (Candidate found : ranked) {
            shown.add(new AdvisedMatch(
                    found, found.state().worked(), found.state().failed(), isStale(found, family, now)));
        }
        String said = text.text(shown, seen, now, AdviceText.DEFAULT_TOKENS);
        List<Match> matches = new ArrayList<>(ranked);
        String hash = question.hash().value();
        String reason = family.seen() > 0
                ? "seen " + family.seen() + " times as " + hash
                : "nothing of " + hash + " itself; " + ranked.get(0).explanation();
        return new SimpleAdvice(
                Advice.Status.FOUND,
                matches,
                level(ranked, family),
                said,
                tokens.estimate(said),
                reason + judged.reason(),
                null);
    }

    /** Old, and neither did it work since nor was the failure seen again. */
    private static boolean isStale(Candidate found, FailureFamily family, Instant now) {
        long seen = found.matchType() == Match.MatchType.EXACT && found.entry().kind() == Entry.Kind.FAILURE
                ? family.lastMillis()
                : found.millis();
        long confirmed = Math.max(Math.max(found.millis(), seen), found.state().lastWorkedMillis());
        return now.toEpochMilli() - confirmed > STALE_MILLIS;
    }

    /** Critical where an entry of the family says so, and its failure came more than once and nobody refuted it. */
    private static Failure.BlockLevel level(List<Candidate> ranked, FailureFamily family) {
        boolean repeated = family.seen() > 1 && family.independentSessions() > 1;
        for (Candidate found : ranked) {
            boolean critical = found.matchType() == Match.MatchType.EXACT
                    && found.entry() instanceof Failure failure
                    && failure.blockLevel() == Failure.BlockLevel.CRITICAL;
            boolean refuted = found.state().irrelevant() > 0
                    || found.state().failed() > found.state().worked();
            if (repeated && critical && !refuted) {
                return Failure.BlockLevel.CRITICAL;
            }
        }
        return Failure.BlockLevel.WARNING;
    }
}
