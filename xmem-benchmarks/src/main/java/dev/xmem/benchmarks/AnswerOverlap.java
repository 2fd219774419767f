package dev.xmem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reports how far the ranked answers of two engines overlap, and where an engine stopped at its own limit. Reads the
 * answers that {@link SearchTrial} stores.
 */
public final class AnswerOverlap {
    private final DatasetCache cache;

    private AnswerOverlap(DatasetCache cache) {
        this.cache = cache;
    }

    /**
     * Returns one sentence for each query type with an overlap or a reached limit.
     *
     * @param folder the benchmark parameter of that name
     */
    public static List<String> sentences(String folder, int entries, Set<String> engines) throws IOException {
        AnswerOverlap overlap = new AnswerOverlap(new DatasetCache(folder, entries));
        List<String> sentences = new ArrayList<>();
        for (QueryType type : QueryType.values()) {
            for (String engine : engines) {
                overlap.limitExceeded(engine, type).ifPresent(sentences::add);
                if (!type.exact() && !engine.equals("xmem")) {
                    overlap.shared(engine, type).ifPresent(sentences::add);
                }
            }
        }
        return sentences.stream()
                .map(sentence -> String.format(Locale.ROOT, "%,d entries, %s", entries, sentence))
                .toList();
    }

    private List<TestQuery> answers(String engine, QueryType type) throws IOException {
        Path file = cache.answerFile(engine, type);
        return Files.exists(file) ? TestQueryFile.read(file).getOrDefault(type, List.of()) : List.of();
    }

    private Optional<String> limitExceeded(String engine, QueryType type) throws IOException {
        List<TestQuery> answers = answers(engine, type);
        long limitExceeded = answers.stream()
                .filter(answer -> answer.ids().equals(List.of(SearchTrial.LIMIT_EXCEEDED)))
                .count();
        return limitExceeded == 0
                ? Optional.empty()
                : Optional.of(type.label() + ": " + engine + " stopped at its own limit in " + limitExceeded + " of "
                        + answers.size() + " queries.");
    }

    private Optional<String> shared(String engine, QueryType type) throws IOException {
        List<TestQuery> ours = answers("xmem", type);
        List<TestQuery> theirs = answers(engine, type);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: %s returns %.0f %% of the entries that xmem returns.",
                type.label(),
                engine,
                100 * share(ours, theirs)));
    }

    /** Returns the mean share of the first engine's ids that the second engine also returns for the same query. */
    static double share(List<TestQuery> ours, List<TestQuery> theirs) {
        double sum = 0;
        int asked = 0;
        for (TestQuery one : ours) {
            for (TestQuery other : theirs) {
                if (one.text().equals(other.text()) && !one.ids().isEmpty()) {
                    Set<String> both = new HashSet<>(one.ids());
                    both.retainAll(other.ids());
                    sum += both.size() / (double) one.ids().size();
                    asked++;
                }
            }
        }
        return asked == 0 ? 0 : sum / asked;
    }
}
