package dev.xmem.core.answer.recall;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Match;
import dev.xmem.core.answer.outcome.EntryState;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.recall.FamilyDigest.Line;
import dev.xmem.core.answer.render.AdviceText;
import dev.xmem.core.answer.render.AdviceText.AdvisedMatch;
import dev.xmem.core.answer.render.AdviceText.Section;
import dev.xmem.core.answer.render.AdviceText.Seen;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.function.Supplier;
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
 * The result has failures with the same hash, then similar failures, then successes; each group is ordered by the score
 * of its {@link Candidate}s. {@link AdviceFilter} removes irrelevant and harmful advice from every group. Thread-safe.
 */
public final class Recall {
    private static final String UNLIKE = "the hash of its family tells no cause, and its message is not like this one";
    private static final String SAME_WORK =
            "it does the same work as a call that failed, the call has its change already, it is about something else, or"
                    + " another fix says the same";
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
     * @param place where its text is kept; null if it is not
     */
    public record Found(
            Advice.Status status,
            List<AdvisedMatch> advised,
            Seen seen,
            Failure.BlockLevel level,
            String reason,
            Map<String, String> leftOut,
            @Nullable Place place) {
        /** The same, as another store shows it that asks this layer. */
        public Found from(Layer layer) {
            List<AdvisedMatch> shown = new ArrayList<>(advised.size());
            for (AdvisedMatch each : advised) {
                Match match = each.match() instanceof Candidate candidate ? candidate.from(layer) : each.match();
                shown.add(new AdvisedMatch(match, each.says(), each.worked(), each.failed(), each.stale()));
            }
            return new Found(status, shown, seen, level, reason, leftOut, null);
        }

        private Found with(List<AdvisedMatch> matches, @Nullable Place at) {
            return new Found(status, matches, seen, level, reason, leftOut, at);
        }
    }

    /** Where a text is kept that depends only on the family, the subject and the time, and when the text is true. */
    record Place(FamilyDigest digest, String subject, Instant from, Instant until) {}

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
        FamilyDigest digest = FamilyDigest.of(context, hash);
        FailureFamily family = new FailureFamily(digest, query.hash(), now.toEpochMilli());
        ToldAdvice told = family.isCatchAll() ? null : digest.told(family.subject(), now);
        if (told != null) {
            Place place = new Place(digest, family.subject(), told.from(), told.until());
            return told.found().with(new LazyList<>(told.matches(), () -> advised(ranked(family), family, now)), place);
        }
        SimilarFailures others = new SimilarFailures(context, query);
        AdviceFilter filter = new AdviceFilter(family.digest());
        List<Candidate> failures = family.failures(others);
        List<Candidate> exact = filter.filter(failures);
        KnownFixes known = KnownFixes.of(context, query, exact, family);
        List<Candidate> answers = known.candidates();
        List<Candidate> fixes = filter.filter(answers);
        filter.leaveOut(digest.failures, failures, UNLIKE);
        filter.leaveOut(digest.successes, answers, family.isCatchAll() ? UNLIKE : SAME_WORK);
        List<Candidate> similar = new ArrayList<>();
        String nearest = "";
        boolean answered = !fixes.isEmpty() || hasLesson(exact);
        boolean asksOthers = !answered || !hasOwn(fixes) && !hasLesson(own(exact));
        if (asksOthers) {
            others.addOtherFamilies();
            for (Candidate candidate : filter.filter(others.candidates(answered))) {
                (candidate.entry() instanceof Failure ? similar : fixes).add(candidate);
            }
            nearest = others.nearest() == 0
                    ? ""
                    : "; the nearest of its tool is like it by " + Math.round(100 * others.nearest()) / 100.0 + " of "
                            + SimilarFailures.FLOOR + " needed";
        }
        List<Candidate> ranked = ranked(List.of(exact, similar, fixes));
        if (!ranked.isEmpty()) {
            boolean keeps = !asksOthers && !family.isCatchAll() && !known.dependOnCall();
            Instant until = keeps ? Instant.ofEpochMilli(unchangedUntil(exact, fixes, family, now)) : now;
            Place place = until.isAfter(now) ? new Place(digest, family.subject(), now, until) : null;
            return found(ranked, family, filter, hash, now, place);
        }
        return filter.withheld() > 0
                ? nothing(Advice.Status.WITHHELD, filter, filter.reason() + " Family: " + hash)
                : nothing(
                        Advice.Status.NOTHING_RELEVANT,
                        filter,
                        "nothing relevant is known of " + hash + nearest + filter.reason());
    }

    private static Found nothing(Advice.Status status, AdviceFilter filter, String reason) {
        return new Found(status, List.of(), Seen.NEVER, Failure.BlockLevel.WARNING, reason, filter.leftOut(), null);
    }

    /** The matches of a family alone, ranked as when its text was made. */
    private static List<Candidate> ranked(FailureFamily family) {
        AdviceFilter filter = new AdviceFilter(family.digest());
        List<Candidate> fixes = new ArrayList<>();
        for (Line line : family.successes()) {
            fixes.add(family.fix(line));
        }
        return ranked(List.of(filter.filter(family.failures()), filter.filter(KnownFixes.merged(fixes))));
    }

    private static List<Candidate> ranked(List<List<Candidate>> groups) {
        List<Candidate> ranked = new ArrayList<>();
        for (List<Candidate> group : groups) {
            group.sort((a, b) -> Double.compare(b.score(), a.score()));
            ranked.addAll(group);
        }
        return ranked;
    }

    /** Until when the order of these candidates, best first, and what is stale stay as they are, in milliseconds. */
    private static long unchangedUntil(
            List<Candidate> failures, List<Candidate> fixes, FailureFamily family, Instant now) {
        long millis = now.toEpochMilli();
        long until = Math.min(ToldAdvice.orderedUntil(failures, millis), ToldAdvice.orderedUntil(fixes, millis));
        for (List<Candidate> group : List.of(failures, fixes)) {
            for (Candidate candidate : group) {
                long stale = staleAfter(candidate, family);
                until = stale < millis ? until : Math.min(until, stale);
            }
        }
        return until;
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
            List<Candidate> ranked,
            FailureFamily family,
            AdviceFilter filter,
            String hash,
            Instant now,
            @Nullable Place place) {
        FamilyDigest digest = family.digest();
        long last = digest.lastOwnMillis();
        int times = family.isCatchAll() ? 0 : digest.occurrences();
        int peers = family.isCatchAll() ? 0 : digest.peerOccurrences();
        Instant at = last == 0 ? null : Instant.ofEpochMilli(last);
        Seen seen = new Seen(times, digest.failuresBySession.size(), digest.hasMoreSessions(), peers, at);
        String byPeers = peers > 0 ? Plural.of(peers, "time") + " by peers" : "";
        String reason = times + peers > 0
                ? "seen " + (times > 0 ? Plural.of(times, "time") + (peers > 0 ? ", " : "") : "") + byPeers + " as "
                        + hash
                : (family.isCatchAll() ? hash + " tells no cause; " : "nothing of " + hash + " itself; ")
                        + ranked.get(0).explanation();
        return new Found(
                Advice.Status.FOUND,
                advised(ranked, family, now),
                seen,
                level(ranked, family),
                reason + filter.reason(),
                filter.leftOut(),
                place);
    }

    private static List<AdvisedMatch> advised(List<Candidate> ranked, FailureFamily family, Instant now) {
        List<AdvisedMatch> advised = new ArrayList<>(ranked.size());
        for (Candidate candidate : ranked) {
            EntryState state = candidate.state();
            boolean stale = now.toEpochMilli() > staleAfter(candidate, family);
            advised.add(new AdvisedMatch(candidate, candidate.says(), state.worked(), state.failed(), stale));
        }
        return advised;
    }

    /**
     * The advice of a store, followed by that of the layers that it also asks: one text, within one token limit. The
     * layers add nothing where the store withholds its own advice, and never raise the level.
     * Decision: docs/adr/0042-layers.md.
     */
    public Advice advice(Found own, Map<Layer, Found> layers, Instant now) {
        Place place = layers.isEmpty() ? own.place : null;
        ToldAdvice told = place == null ? null : place.digest.told(place.subject, now);
        if (told != null) {
            List<Match> matches = new LazyList<>(told.matches(), () -> matches(own));
            return advice(own, matches, told.block(), own.reason);
        }
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
        if (place != null) {
            Instant until = block.until().isBefore(place.until) ? block.until() : place.until;
            Found kept = own.with(List.of(), null);
            place.digest.keep(cache, place.subject, new ToldAdvice(kept, matches.size(), block, place.from, until));
        }
        return advice(own, List.copyOf(matches), block, reason.toString());
    }

    private static Advice advice(Found own, List<Match> matches, AdviceText.Block block, String reason) {
        return new SimpleAdvice(
                Advice.Status.FOUND,
                matches,
                own.level,
                block.text(),
                block.tokens(),
                reason,
                own.seen.times() + own.seen.peers(),
                null,
                own.leftOut);
    }

    private static List<Match> matches(Found found) {
        List<Match> matches = new ArrayList<>(found.advised.size());
        for (AdvisedMatch advised : found.advised) {
            matches.add(advised.match());
        }
        return matches;
    }

    private static void add(Found found, String label, List<Match> matches, List<Section> sections) {
        matches.addAll(matches(found));
        sections.add(new Section(label, found.advised, found.seen));
    }

    /** When an entry is old, has not worked since, and its failure has not been seen since, in milliseconds. */
    private static long staleAfter(Candidate candidate, FailureFamily family) {
        boolean seen = candidate.matchType() == Match.MatchType.EXACT
                && candidate.entry().kind() == Entry.Kind.FAILURE;
        long confirmed = Math.max(candidate.confirmedMillis(), seen ? family.digest().lastMillis : 0);
        return Math.min(confirmed, Long.MAX_VALUE - STALE_MILLIS) + STALE_MILLIS;
    }

    /**
     * Critical if an entry of this store in the family says so and is not refuted, and two of its sessions met the
     * failure. What peers publish changes nothing.
     */
    private static Failure.BlockLevel level(List<Candidate> ranked, FailureFamily family) {
        FamilyDigest digest = family.digest();
        boolean repeated = digest.occurrences() > 1 && digest.independentSessions.size() > 1;
        for (Candidate candidate : repeated && digest.critical ? ranked : List.<Candidate>of()) {
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

    /** A list whose elements are made when one of them is first read. Immutable and thread-safe. */
    private static final class LazyList<T> extends AbstractList<T> implements RandomAccess {
        private final int size;
        private final Lazy<List<T>> elements;

        LazyList(int size, Supplier<List<T>> elements) {
            this.size = size;
            this.elements = new Lazy<>(elements);
        }

        @Override
        public T get(int index) {
            return elements.get().get(index);
        }

        @Override
        public int size() {
            return size;
        }
    }
}
