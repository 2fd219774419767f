package dev.xmem.core.recall;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.index.EntryReader;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Postings;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.record.Entries;
import dev.xmem.core.render.AdviceText;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds what is known of a failure. Reads only. The order: failures of the same context hash, those with the same subject
 * before the others, the newest first; then successes of that hash.
 */
public final class Recall {
    private static final long CLOCK_SKEW_MILLIS = 60_000;
    private static final int LOOKED_AT = 70;
    private static final double SAME_SUBJECT = 1.0;
    private static final double SAME_FAMILY = 0.8;

    private final EntryReader reader;
    private final TokenEstimator tokens;
    private final AdviceText text;

    /** A recall that reads entries with this reader and measures its text with this estimator. */
    public Recall(EntryReader reader, TokenEstimator tokens) {
        this.reader = reader;
        this.tokens = tokens;
        this.text = new AdviceText(tokens);
    }

    /** What is known of a failure of this family. */
    public Advice recall(Snapshot snapshot, ContextHash hash, Instant now) throws IOException {
        List<Match> failures = new ArrayList<>();
        List<Match> successes = new ArrayList<>();
        int seen = 0;
        long latest = now.toEpochMilli() + CLOCK_SKEW_MILLIS;
        for (LogView log : snapshot.logs()) {
            Postings lines = log.index().withHash(hash.value());
            int n = lines.countBelow(log.count());
            for (int ordinal : newest(log, lines, n, latest)) {
                Entry entry = reader.entry(log.index(), ordinal);
                if (entry instanceof Failure failure) {
                    failures.add(match(failure, hash));
                } else if (entry instanceof Success) {
                    successes.add(
                            new StoredMatch(entry, Match.Likeness.EXACT, SAME_FAMILY, "it has the same context hash"));
                }
            }
            seen += log.index().kind() == Entry.Kind.FAILURE ? n : 0;
        }
        if (failures.isEmpty() && successes.isEmpty()) {
            return StoredAdvice.nothing("nothing is known of " + hash.value());
        }
        failures.sort(Comparator.comparingDouble(Match::score).reversed());
        List<Match> matches = new ArrayList<>(failures);
        matches.addAll(successes);
        return advice(matches, seen, hash, now);
    }

    /** The newest lines by their times; those of one time, and all where the times ascend, by their places. */
    private static List<Integer> newest(LogView log, Postings lines, int n, long latestMillis) {
        Stream<Integer> fromTheEnd =
                IntStream.range(0, n).mapToObj(i -> lines.at(n - 1 - i)).filter(log::shows);
        if (!log.index().ascendsBelow(log.count())) {
            ToLongFunction<Integer> time = ordinal -> Math.min(log.index().time(ordinal), latestMillis);
            fromTheEnd = fromTheEnd.sorted(Comparator.comparingLong(time).reversed());
        }
        return fromTheEnd.limit(LOOKED_AT).toList();
    }

    private static Match match(Failure failure, ContextHash hash) {
        String subject = Entries.field(failure, "subject");
        boolean same = !hash.subject().isEmpty() && hash.subject().equals(subject);
        return same
                ? new StoredMatch(
                        failure,
                        Match.Likeness.EXACT,
                        SAME_SUBJECT,
                        "the same failure, about " + hash.subject() + " too")
                : new StoredMatch(failure, Match.Likeness.EXACT, SAME_FAMILY, "the same context hash, " + hash.value());
    }

    private Advice advice(List<Match> matches, int seen, ContextHash hash, Instant now) {
        String shown = text.text(matches, seen, now, AdviceText.DEFAULT_TOKENS);
        boolean critical = matches.stream()
                .anyMatch(m -> m.entry() instanceof Failure f && f.blockLevel() == Failure.BlockLevel.CRITICAL);
        return new StoredAdvice(
                Advice.Status.FOUND,
                matches,
                critical ? Failure.BlockLevel.CRITICAL : Failure.BlockLevel.WARNING,
                shown,
                tokens.estimate(shown),
                "seen " + seen + " times as " + hash.value(),
                null);
    }
}
