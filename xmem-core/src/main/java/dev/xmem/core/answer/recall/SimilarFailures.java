package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
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
 * Entries of other families of the same tool that are like a failure: by the words of the pattern, and by those of what the
 * tool said. The newest entry stands for its family. Made for one recall.
 *
 * <pre>
 * likeness = 0.45 · pattern + 0.40 · said + 0.15 · operation
 * </pre>
 *
 * Pattern and said are Dice's coefficient of the words that both have, operation is 1 where it is the same. What is below
 * {@value #FLOOR} is not relevant.
 */
final class SimilarFailures {
    static final double FLOOR = 0.85;

    private static final double PATTERN = 0.45;
    private static final double SAID = 0.40;
    private static final double OPERATION = 0.15;
    private static final int MOST_FAMILIES = 256;
    private static final double LIKE = 0.5;

    private final RecallContext reading;
    private final ContextHash hash;
    private final RecallQuery question;
    private @Nullable DiceSimilarity said;
    private final Set<String> pattern;
    private double nearest;

    SimilarFailures(RecallContext reading, RecallQuery question) {
        this.reading = reading;
        this.hash = question.hash();
        this.question = question;
        this.pattern = words(hash.pattern());
    }

    /** Failures and successes that are like it enough, nearest first. */
    List<Candidate> found() throws IOException {
        List<Candidate> found = new ArrayList<>();
        if (hash.tool().isEmpty() || pattern.isEmpty()) {
            return found;
        }
        for (LogSnapshot log : reading.snapshot().logs()) {
            for (String family : log.index().hashesOf(hash.tool(), MOST_FAMILIES)) {
                if (!family.equals(hash.value())) {
                    add(found, log, family);
                }
            }
        }
        found.sort((a, b) -> Double.compare(b.score(), a.score()));
        return found;
    }

    /** How like the nearest of them is, also one below the floor; 0 if there is none. */
    double nearest() {
        return nearest;
    }

    /** A line is read only where its family alone makes it near enough. */
    private void add(List<Candidate> found, LogSnapshot log, String family) throws IOException {
        boolean operation = family.startsWith(hash.operation() + "-");
        double ofFamily = PATTERN * dice(pattern, words(patternOf(family, operation))) + (operation ? OPERATION : 0);
        if (ofFamily + SAID < FLOOR) {
            return;
        }
        Postings lines = log.index().withHash(family);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            int ordinal = lines.at(i);
            if (!reading.shows(log, ordinal)) {
                continue;
            }
            Occurrence line = reading.line(log.index(), ordinal);
            double likeness = ofFamily + SAID * said().to(text(line.entry()));
            nearest = Math.max(nearest, likeness);
            if (likeness >= FLOOR) {
                String why = "like it: " + family + (operation ? ", the same operation" : "") + ", likeness "
                        + Math.round(100 * likeness) / 100.0;
                found.add(reading.found(line, Match.MatchType.SIMILAR, LIKE * likeness, why, 1));
            }
            return;
        }
    }

    /** What the failure says, taken apart when a first one is near enough for that. */
    private DiceSimilarity said() {
        DiceSimilarity known = said;
        if (known == null) {
            known = new DiceSimilarity(question.text());
            said = known;
        }
        return known;
    }

    private String patternOf(String family, boolean operation) {
        String from = operation ? hash.operation() : hash.tool();
        return family.substring(Math.min(family.length(), from.length() + 1));
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

    private static double dice(Set<String> one, Set<String> other) {
        int both = 0;
        for (String word : one) {
            both += other.contains(word) ? 1 : 0;
        }
        int all = one.size() + other.size();
        return all == 0 ? 0 : 2.0 * both / all;
    }

    private static Set<String> words(String slug) {
        Set<String> words = new HashSet<>(List.of(slug.split("-")));
        words.remove("");
        return words;
    }
}
