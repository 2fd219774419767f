package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.analysis.DiceSimilarity;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds entries of the same tool with other context hashes that are similar to a failure. The newest entry represents
 * its hash. For one recall.
 *
 * <pre>
 * similarity = 0.45 · pattern + 0.40 · message + 0.15 · operation
 * </pre>
 *
 * Pattern and message are Dice coefficients of the word sets (Dice, <cite>Measures of the Amount of Ecologic
 * Association Between Species</cite>, Ecology 26, 1945): the words of the hash's pattern, and the weighted terms of the
 * tool's output. Operation is 1 if it is the same. An entry below {@value #FLOOR} is not relevant.
 * Decision: docs/adr/0013-silent-when-in-doubt.md.
 */
final class SimilarFailures {
    static final double FLOOR = 0.85;

    private static final double PATTERN = 0.45;
    private static final double MESSAGE = 0.40;
    private static final double OPERATION = 0.15;
    private static final double CATCH_ALL_FLOOR = PATTERN + OPERATION + 0.5 * MESSAGE;
    private static final int MAX_HASHES = 256;
    private static final double BASE = 0.5;

    private final RecallContext context;
    private final RecallQuery query;
    private final ContextHash hash;
    private final String asked;
    private final Lazy<DiceSimilarity> message;
    private final Set<String> pattern;
    private final List<Candidate> candidates = new ArrayList<>();
    private double nearest;

    SimilarFailures(RecallContext context, RecallQuery query) {
        this.context = context;
        this.query = query;
        this.hash = query.hash();
        this.asked = query.text().strip();
        this.message = new Lazy<>(() -> new DiceSimilarity(asked));
        this.pattern = words(hash.pattern());
    }

    /** Adds the entries with other hashes. */
    void addOtherFamilies() throws IOException {
        if (hash.tool().isEmpty() || pattern.isEmpty()) {
            return;
        }
        for (LogSnapshot log : context.snapshot().logs()) {
            for (String other : log.index().hashesOf(hash.tool(), MAX_HASHES)) {
                if (!other.equals(hash.value())) {
                    add(log, other);
                }
            }
        }
        candidates.sort((a, b) -> Double.compare(b.score(), a.score()));
    }

    /**
     * The failures of a catch-all family whose messages support the match: their similarity is at least one half.
     * Decision: docs/adr/0035-catch-all-families-and-advice.md.
     */
    List<Candidate> ofCatchAll(List<RecallContext.Occurrence> failures) throws IOException {
        List<Candidate> supported = new ArrayList<>();
        for (RecallContext.Occurrence line : failures) {
            Candidate candidate = candidate(line, hash.value(), PATTERN + OPERATION, true, CATCH_ALL_FLOOR);
            if (candidate != null) {
                supported.add(candidate);
            }
        }
        return supported;
    }

    /** Failures and successes that are similar enough, best first. */
    List<Candidate> candidates() {
        return candidates;
    }

    /** The highest similarity, even one below the floor; 0 if there is none. */
    double nearest() {
        return nearest;
    }

    /** Reads a line only if its hash alone is near enough. */
    private void add(LogSnapshot log, String other) throws IOException {
        boolean operation = other.startsWith(hash.operation() + "-");
        double ofHash = PATTERN * dice(pattern, words(patternOf(other, operation))) + (operation ? OPERATION : 0);
        if (ofHash + MESSAGE < FLOOR) {
            return;
        }
        Postings lines = log.index().withHash(other);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            int ordinal = lines.at(i);
            if (!context.shows(log, ordinal)) {
                continue;
            }
            Candidate candidate = candidate(context.line(log.index(), ordinal), other, ofHash, operation, FLOOR);
            if (candidate != null) {
                candidates.add(candidate);
            }
            return;
        }
    }

    /** The entry as a candidate; null if it is not similar enough. */
    private @Nullable Candidate candidate(
            RecallContext.Occurrence line, String other, double ofHash, boolean operation, double floor)
            throws IOException {
        double similarity =
                ofHash + MESSAGE * messageSimilarity(text(line.entry()).strip());
        nearest = Math.max(nearest, similarity);
        boolean done =
                line.entry() instanceof Success success && RecallQuery.isDone(success, query.tool(), query.action());
        if (similarity < floor || done) {
            return null;
        }
        String why = "like it: " + other + (operation ? ", the same operation" : "") + ", likeness "
                + Math.round(100 * similarity) / 100.0;
        return context.candidate(line, Match.MatchType.SIMILAR, BASE * similarity, why, 1);
    }

    /** Equal messages are the same even if they consist of names alone, which have no weight. */
    private double messageSimilarity(String other) {
        return !asked.isEmpty() && asked.equals(other) ? 1 : message.get().to(other);
    }

    private String patternOf(String other, boolean operation) {
        String prefix = operation ? hash.operation() : hash.tool();
        return other.substring(Math.min(other.length(), prefix.length() + 1));
    }

    private static String text(Entry entry) {
        if (entry instanceof Failure failure) {
            String evidence = StoredEntries.field(failure, "evidence");
            return evidence == null ? failure.error() : evidence;
        }
        return entry instanceof Success success
                ? success.patternName() + "\n" + String.join("\n", success.keySteps())
                : "";
    }

    private static double dice(Set<String> a, Set<String> b) {
        int both = 0;
        for (String word : a) {
            both += b.contains(word) ? 1 : 0;
        }
        int all = a.size() + b.size();
        return all == 0 ? 0 : 2.0 * both / all;
    }

    private static Set<String> words(String slug) {
        Set<String> words = new HashSet<>(List.of(slug.split("-")));
        words.remove("");
        return words;
    }
}
