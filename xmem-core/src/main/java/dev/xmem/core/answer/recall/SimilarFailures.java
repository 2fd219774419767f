package dev.xmem.core.answer.recall;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Success;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.json.StoredEntries;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.Postings;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds entries of the same operation with other context hashes that are similar to a failure; those of the same tool
 * if a hash of the tool may be of any of its operations. The newest entry represents its hash. For one recall.
 *
 * <p>The similarity is the Dice coefficient of the weighted terms of the two messages (Dice, <cite>Measures of the
 * Amount of Ecologic Association Between Species</cite>, Ecology 26, 1945). An entry is relevant from
 * {@value #CERTAIN}, and the most similar one from {@value #FLOOR} if it leads the next by {@value #LEAD}. Two hashes
 * that name different causes of the lexicon are different failures, whatever their messages.
 * Decision: docs/adr/0013-silent-when-in-doubt.md.
 */
final class SimilarFailures {
    static final double FLOOR = 0.65;

    private static final double CERTAIN = 0.85;
    private static final double LEAD = 0.1;
    private static final double CATCH_ALL_FLOOR = 0.5;
    private static final int MAX_HASHES = 256;
    private static final int MAX_HASHES_OF_PEERS = 1024;
    private static final int MAX_COMPARED = 64;
    private static final double BASE = 0.5;

    private final RecallContext context;
    private final RecallQuery query;
    private final ContextHash hash;
    private final boolean ofTool;
    private final boolean told;
    private final String cause;
    private final String asked;
    private final Lazy<DiceSimilarity> message;
    private final Lazy<RecallQuery.Words> words;
    private final List<Compared> others = new ArrayList<>();

    /** The newest line of a hash in a log. */
    private record Newest(String hash, int ordinal) {}

    /** The newest entry of a hash. */
    private record Compared(RecallContext.Occurrence line, String hash, double similarity) {}

    SimilarFailures(RecallContext context, RecallQuery query) {
        this.context = context;
        this.query = query;
        this.hash = query.hash();
        this.ofTool = RuleBasedHasher.isOfAnyOperation(hash.tool(), hash.value());
        this.told = isTold(hash.pattern());
        this.cause = RuleBasedHasher.causeOf(hash.pattern());
        this.asked = query.text().strip();
        this.words = new Lazy<>(query::words);
        this.message = new Lazy<>(() -> new DiceSimilarity(asked));
    }

    /** Compares the entries with other hashes. */
    void addOtherFamilies() throws IOException {
        if (hash.tool().isEmpty() || hash.pattern().isEmpty()) {
            return;
        }
        for (LogSnapshot log : context.snapshot().logs()) {
            int most = log.index().origin().own() ? MAX_HASHES : MAX_HASHES_OF_PEERS;
            List<Newest> found = new ArrayList<>();
            for (String other : hashes(log, most)) {
                int line = canBeLike(other) ? newest(log, other) : -1;
                if (line >= 0) {
                    found.add(new Newest(other, line));
                }
            }
            List<Newest> fair = RecallContext.fairly(log.index(), found, Newest::ordinal);
            for (Newest other : fair.subList(0, Math.min(MAX_COMPARED, fair.size()))) {
                compare(log, other);
            }
        }
        others.sort(Comparator.comparingDouble(Compared::similarity).reversed());
    }

    /** At most {@code most} other hashes, those of the operation first: they may be all that there is room for. */
    private Set<String> hashes(LogSnapshot log, int most) {
        Set<String> hashes = new LinkedHashSet<>(log.hashesOf(hash.operation(), most));
        if (ofTool && !hash.action().isEmpty() && hashes.size() < most) {
            for (String other : log.hashesOf(hash.tool(), most)) {
                if (hashes.size() < most) {
                    hashes.add(other);
                }
            }
        }
        return hashes;
    }

    /**
     * The failures of a catch-all family whose messages support the match: their similarity is at least
     * {@value #CATCH_ALL_FLOOR}. Decision: docs/adr/0035-catch-all-families-and-advice.md.
     */
    List<Candidate> ofCatchAll(List<RecallContext.Occurrence> failures) throws IOException {
        List<Candidate> supported = new ArrayList<>();
        for (RecallContext.Occurrence line : failures) {
            Compared compared = new Compared(line, hash.value(), similarity(line.entry()));
            if (compared.similarity >= CATCH_ALL_FLOOR) {
                supported.add(candidate(compared));
            }
        }
        return supported;
    }

    /**
     * Failures and successes that are similar enough: first those of this replica, which are chosen among themselves,
     * so that no peer's entry takes their lead, then those of peers.
     *
     * @param own whether to leave out entries of peers
     */
    List<Candidate> candidates(boolean own) throws IOException {
        Set<Compared> similar = new LinkedHashSet<>(similar(
                others.stream().filter(other -> other.line.owner().own()).toList()));
        if (!own) {
            similar.addAll(similar(others));
        }
        List<Candidate> candidates = new ArrayList<>(similar.size());
        for (Compared other : similar) {
            candidates.add(candidate(other));
        }
        return candidates;
    }

    private static List<Compared> similar(List<Compared> sorted) {
        List<Compared> certain =
                sorted.stream().filter(other -> other.similarity >= CERTAIN).toList();
        double first = sorted.isEmpty() ? 0 : sorted.get(0).similarity;
        double next = sorted.size() > 1 ? sorted.get(1).similarity : 0;
        return certain.isEmpty() && first >= FLOOR && first - next >= LEAD ? sorted.subList(0, 1) : certain;
    }

    /** The highest similarity, even one below the floor; 0 if there is none. */
    double nearest() {
        return others.isEmpty() ? 0 : others.get(0).similarity;
    }

    private boolean canBeLike(String other) {
        String own = isOfOperation(other) ? hash.operation() : hash.tool();
        String pattern = other.substring(Math.min(other.length(), own.length() + 1));
        boolean same = other.endsWith('-' + hash.pattern())
                && RuleBasedHasher.causeOf(pattern).equals(cause);
        return !other.equals(hash.value()) && (!told || same || !isTold(pattern));
    }

    private boolean isOfOperation(String other) {
        return other.startsWith(hash.operation() + '-');
    }

    /** Whether a pattern is a cause of the lexicon or a code, not words of the message. */
    private static boolean isTold(String pattern) {
        boolean code = !pattern.startsWith("message-") && pattern.chars().anyMatch(c -> c >= '0' && c <= '9');
        return code || !RuleBasedHasher.causeOf(pattern).isEmpty();
    }

    private int newest(LogSnapshot log, String other) {
        Postings lines = log.index().withHash(other);
        for (int i = lines.countBelow(log.count()) - 1; i >= 0; i--) {
            if (context.shows(log, lines.at(i))) {
                return lines.at(i);
            }
        }
        return -1;
    }

    private void compare(LogSnapshot log, Newest other) throws IOException {
        RecallContext.Occurrence line = context.line(log.index(), other.ordinal);
        boolean done = line.entry() instanceof Success success
                && (RecallQuery.isNoAdvice(success, query.tool(), query.action())
                        || RecallQuery.isAboutOne(success)
                                && !Map.of().equals(query.carriesOver(success, words.get())));
        if (!done) {
            others.add(new Compared(line, other.hash, similarity(line.entry())));
        }
    }

    private Candidate candidate(Compared other) throws IOException {
        boolean tool = ofTool || hash.action().isEmpty();
        String why = "like it: " + other.hash + ", the same " + (tool ? "tool" : "operation") + ", likeness "
                + Math.round(100 * other.similarity) / 100.0;
        return context.candidate(other.line, Match.MatchType.SIMILAR, BASE * other.similarity, why, 1);
    }

    /** Equal messages are the same even if they consist of names alone, which have no weight. */
    private double similarity(Entry entry) {
        String other = text(entry).strip();
        return !asked.isEmpty() && asked.equals(other) ? 1 : message.get().to(other);
    }

    private static String text(Entry entry) {
        if (entry instanceof Failure failure) {
            return StoredEntries.evidence(failure);
        }
        return entry instanceof Success success
                ? success.patternName() + "\n" + String.join("\n", success.keySteps())
                : "";
    }
}
