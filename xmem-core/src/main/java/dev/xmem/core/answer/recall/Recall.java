package dev.xmem.core.answer.recall;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.render.AdviceText;
import dev.xmem.core.answer.render.AdviceText.AdvisedMatch;
import dev.xmem.core.answer.render.AdviceText.Section;
import dev.xmem.core.answer.render.AdviceText.Seen;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the advice for a failure. Only reads. The steps, and the order of the result:
 *
 * <ol>
 *   <li>Failures with the same context hash, {@link FailureFamily}; those with the same subject first. A hash that
 *       tells no cause does not suffice: the messages must be similar, and the match counts as similar.
 *   <li>Successes that answer them, {@link KnownFixes}.
 *   <li>If neither yields a lesson or an answer: similar failures and successes of the same tool,
 *       {@link SimilarFailures}. If only peers have one: similar failures and successes of this replica, so that what a
 *       peer publishes removes nothing that this replica would tell without it.
 * </ol>
 *
 * The result has failures with the same hash, then similar failures, then successes; each group is ordered by score,
 * which {@link EvidenceScore} adds to. {@link AdviceFilter} removes irrelevant and harmful advice from every group.
 * Thread-safe.
 */
public final class Recall {
    private static final String UNLIKE = "the hash of its family tells no cause, and its message is not like this one";
    private static final String SAME_WORK =
            "it does the same work as a call that failed, or the call has its change already";
    private static final long STALE_MILLIS = 180L * 86_400_000;

    private final EntryReader entries;
    private final Outcomes outcomes;
    private final AdviceText text;
    private final ByteCache cache;
    private final double peerTrust;

    /**
     * A recall over the entries of this reader.
     *
     * @param tokens measures the text
     * @param fence encloses the text
     * @param cache keeps digests of families
     * @param peerTrust the factor of the scores of peers' entries
     */
    public Recall(
            EntryReader entries,
            Outcomes outcomes,
            TokenEstimator tokens,
            Fence fence,
            ByteCache cache,
            double peerTrust) {
        this.cache = cache;
        this.entries = entries;
        this.outcomes = outcomes;
        this.text = new AdviceText(tokens, fence);
        this.peerTrust = peerTrust;
    }

    private record SimpleAdvice(
            Status status,
            List<Match> matches,
            Failure.BlockLevel level,
            String text,
            int tokens,
            String reason,
            int seen,
            @Nullable String recordedId,
            Map<String, String> leftOut)
            implements Advice {
        SimpleAdvice {
            leftOut = Map.copyOf(leftOut);
        }
    }

    /**
     * What one store knows of a failure.
     *
     * @param status found, withheld, or nothing relevant
     * @param advised the entries with their votes, best first
     * @param level the level that they give
     * @param reason why, in one sentence for a user
     * @param leftOut why entries of the family are not told, by their ids
     */
    public record Found(
            Advice.Status status,
            List<AdvisedMatch> advised,
            Seen seen,
            Failure.BlockLevel level,
            String reason,
            Map<String, String> leftOut) {
        /** The same, as another store shows it that asks this layer. */
        public Found from(Layer layer) {
            List<AdvisedMatch> shown = new ArrayList<>(advised.size());
            for (AdvisedMatch each : advised) {
                Match match = each.match() instanceof Candidate candidate ? candidate.from(layer) : each.match();
                shown.add(new AdvisedMatch(match, each.says(), each.worked(), each.failed(), each.stale()));
            }
            return new Found(status, shown, seen, level, reason, leftOut);
        }
    }

    /** What the store of a snapshot knows of a failure. */
    public Found find(StoreSnapshot snapshot, RecallQuery query, Instant now) throws IOException {
        RecallContext context = new RecallContext(
                snapshot,
                entries,
                outcomes,
                outcomes.amendments(snapshot),
                cache,
                Outcomes.areIn(snapshot),
                peerTrust,
                now.toEpochMilli());
        String hash = query.hash().value();
        FailureFamily family = new FailureFamily(context, query.hash());
        SimilarFailures others = new SimilarFailures(context, query);
        AdviceFilter filter = new AdviceFilter(family);
        List<Candidate> failures = family.failures(query.hash(), others);
        List<Candidate> exact = filter.filter(failures);
        List<Candidate> answers = KnownFixes.of(context, query, exact, family);
        List<Candidate> fixes = filter.filter(answers);
        filter.leaveOut(family.readFailures(), failures, UNLIKE);
        filter.leaveOut(family.readSuccesses(), answers, family.isCatchAll() ? UNLIKE : SAME_WORK);
        List<Candidate> similar = new ArrayList<>();
        String nearest = "";
        boolean answered = !fixes.isEmpty() || hasLesson(exact);
        if (!answered || !hasOwn(fixes) && !hasLesson(own(exact))) {
            others.addOtherFamilies();
            for (Candidate candidate : filter.filter(others.candidates(answered))) {
                (candidate.entry() instanceof Failure ? similar : fixes).add(candidate);
            }
            nearest = others.nearest() == 0
                    ? ""
                    : "; the nearest of its tool is like it by " + Math.round(100 * others.nearest()) / 100.0 + " of "
                            + SimilarFailures.FLOOR + " needed";
        }
        List<Candidate> ranked = new ArrayList<>();
        for (List<Candidate> group : List.of(exact, similar, fixes)) {
            group.sort((a, b) -> Double.compare(b.score(), a.score()));
            ranked.addAll(group);
        }
        if (!ranked.isEmpty()) {
            return found(ranked, family, filter, hash, now);
        }
        return filter.withheld() > 0
                ? nothing(Advice.Status.WITHHELD, filter, filter.reason() + " Family: " + hash)
                : nothing(
                        Advice.Status.NOTHING_RELEVANT,
                        filter,
                        "nothing relevant is known of " + hash + nearest + filter.reason());
    }

    private static Found nothing(Advice.Status status, AdviceFilter filter, String reason) {
        return new Found(status, List.of(), Seen.NEVER, Failure.BlockLevel.WARNING, reason, filter.leftOut());
    }

    private static boolean hasOwn(List<Candidate> candidates) {
        for (Candidate candidate : candidates) {
            if (candidate.own()) {
                return true;
            }
        }
        return false;
    }

    private static List<Candidate> own(List<Candidate> candidates) {
        return candidates.stream().filter(Candidate::own).toList();
    }

    private static boolean hasLesson(List<Candidate> exact) {
        for (Candidate candidate : exact) {
            if (candidate.entry() instanceof Failure failure && failure.patternAvoid() != null) {
                return true;
            }
        }
        return false;
    }

    private static Found found(
            List<Candidate> ranked, FailureFamily family, AdviceFilter filter, String hash, Instant now) {
        long last = family.lastOwnMillis();
        int times = family.isCatchAll() ? 0 : family.occurrences();
        int peers = family.isCatchAll() ? 0 : family.peerOccurrences();
        Seen seen = new Seen(times, family.namedSessions(), peers, last == 0 ? null : Instant.ofEpochMilli(last));
        List<AdvisedMatch> advised = new ArrayList<>(ranked.size());
        for (Candidate candidate : ranked) {
            EntryState state = candidate.state();
            advised.add(new AdvisedMatch(
                    candidate, candidate.says(), state.worked(), state.failed(), isStale(candidate, family, now)));
        }
        String byPeers = peers > 0 ? Plural.of(peers, "time") + " by peers" : "";
        String reason = times + peers > 0
                ? "seen " + (times > 0 ? Plural.of(times, "time") + (peers > 0 ? ", " : "") : "") + byPeers + " as "
                        + hash
                : (family.isCatchAll() ? hash + " tells no cause; " : "nothing of " + hash + " itself; ")
                        + ranked.get(0).explanation();
        return new Found(
                Advice.Status.FOUND, advised, seen, level(ranked, family), reason + filter.reason(), filter.leftOut());
    }

    /**
     * The advice of a store, followed by that of the layers that it also asks: one text, within one token limit. The
     * layers add nothing where the store withholds its own advice, and never raise the level.
     * Decision: docs/adr/0042-layers.md.
     */
    public Advice advice(Found own, Map<Layer, Found> layers, Instant now) {
        List<Match> matches = new ArrayList<>();
        List<Section> sections = new ArrayList<>();
        StringBuilder reason = new StringBuilder(own.reason);
        add(own, "", matches, sections);
        for (Map.Entry<Layer, Found> layer : layers.entrySet()) {
            if (own.status != Advice.Status.WITHHELD
                    && !layer.getValue().advised.isEmpty()) {
                add(layer.getValue(), layer.getKey().label(), matches, sections);
                reason.append("; ").append(layer.getKey().label()).append(": ").append(layer.getValue().reason);
            }
        }
        if (matches.isEmpty()) {
            return new SimpleAdvice(own.status, List.of(), own.level, "", 0, own.reason, 0, null, own.leftOut);
        }
        AdviceText.Block block = text.block(sections, now, AdviceText.DEFAULT_TOKENS);
        return new SimpleAdvice(
                Advice.Status.FOUND,
                List.copyOf(matches),
                own.level,
                block.text(),
                block.tokens(),
                reason.toString(),
                own.seen.times() + own.seen.peers(),
                null,
                own.leftOut);
    }

    private static void add(Found found, String label, List<Match> matches, List<Section> sections) {
        for (AdvisedMatch advised : found.advised) {
            matches.add(advised.match());
        }
        sections.add(new Section(label, found.advised, found.seen));
    }

    /** Whether an entry is old, has not worked since, and its failure has not been seen since. */
    private static boolean isStale(Candidate candidate, FailureFamily family, Instant now) {
        boolean seen = candidate.matchType() == Match.MatchType.EXACT
                && candidate.entry().kind() == Entry.Kind.FAILURE;
        long confirmed = Math.max(candidate.millis(), candidate.state().lastWorkedMillis());
        return now.toEpochMilli() - Math.max(confirmed, seen ? family.lastMillis() : 0) > STALE_MILLIS;
    }

    /**
     * Critical if an entry of this store in the family says so and is not refuted, and two of its sessions met the
     * failure. What peers publish changes nothing.
     */
    private static Failure.BlockLevel level(List<Candidate> ranked, FailureFamily family) {
        boolean repeated = family.occurrences() > 1 && family.independentSessions() > 1;
        for (Candidate candidate : repeated && family.isCritical() ? ranked : List.<Candidate>of()) {
            EntryState state = candidate.state();
            boolean critical = candidate.matchType() == Match.MatchType.EXACT
                    && candidate.entry() instanceof Failure failure
                    && failure.blockLevel() == Failure.BlockLevel.CRITICAL;
            boolean refuted = state.irrelevant() > 0 || state.failed() > state.worked();
            if (critical && !refuted) {
                return Failure.BlockLevel.CRITICAL;
            }
        }
        return Failure.BlockLevel.WARNING;
    }
}
