package dev.xmem.semantic;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.Embedder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Errors labeled with their scenario, and questions labeled with the scenarios that answer them. */
record EvaluationCorpus(List<JsonLines.Line> errors, List<JsonLines.Line> questions) {
    static EvaluationCorpus read(String errors, String questions) throws IOException {
        return new EvaluationCorpus(JsonLines.read(errors), JsonLines.read(questions));
    }

    static XMemStore open(@Nullable Embedder model) {
        XMem.Builder builder = XMem.inMemoryBuilder();
        return (model == null ? builder : builder.embedder(model)).open();
    }

    /**
     * Records the first error of each scenario, asks all questions and returns recall@1, recall@3 and the mean number
     * of wrong results among the first eight.
     */
    String ask(@Nullable Embedder model) {
        Map<String, String> scenarios = new HashMap<>();
        int first = 0;
        int three = 0;
        int wrong = 0;
        try (XMemStore store = open(model)) {
            firstOfEach()
                    .forEach((scenario, error) ->
                            scenarios.put(store.recordFailure(draft(error)).id(), scenario));
            for (JsonLines.Line question : questions) {
                Set<String> right = Set.copyOf(question.lists().getOrDefault("relevant", List.of()));
                List<String> shown = new ArrayList<>();
                for (Match match : store.search(Query.words(question.texts().getOrDefault("q", ""))
                                .limit(8))
                        .matches()) {
                    shown.add(scenarios.getOrDefault(match.entry().id(), ""));
                }
                first += shown.stream().limit(1).anyMatch(right::contains) ? 1 : 0;
                three += shown.stream().limit(3).anyMatch(right::contains) ? 1 : 0;
                wrong += (int) shown.stream()
                        .filter(scenario -> !right.contains(scenario))
                        .count();
            }
        }
        double n = questions.size();
        return String.format(
                Locale.ROOT, "recall@1 %.2f, recall@3 %.2f, wrong among eight %.1f", first / n, three / n, wrong / n);
    }

    private Map<String, JsonLines.Line> firstOfEach() {
        Map<String, JsonLines.Line> first = new LinkedHashMap<>();
        errors.forEach(error -> first.putIfAbsent(error.texts().getOrDefault("scenario", ""), error));
        return first;
    }

    private static Failure.Draft draft(JsonLines.Line error) {
        Map<String, String> fields = error.texts();
        return Failure.of(
                fields.getOrDefault("tool", ""), fields.getOrDefault("action", ""), fields.getOrDefault("error", ""));
    }
}
