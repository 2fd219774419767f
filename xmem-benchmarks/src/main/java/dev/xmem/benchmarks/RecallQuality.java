package dev.xmem.benchmarks;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures how well recall recognises failures, and what it returns for unknown failures. Prints tables; with {@code
 * --svg FILE}, also writes a plot. Deterministic except for the last line, without network access; runs for some
 * seconds.
 *
 * <pre>
 * java -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.RecallQuality [--svg FILE] [CORPUS …]
 * </pre>
 *
 * A corpus is an NDJSON file of {@code {"scenario","tool","action","exit_code","error","group"}}. Failures with a
 * group also get a row of their group. The default is the development corpus in this jar. The store holds the first
 * failure of each scenario; all others are queries. The last line says what a hash of an error of about 200
 * characters costs beside masking it, in processor time of the same run.
 */
public final class RecallQuality {
    private static final String DEV = "cli-errors-dev.jsonl";
    private static final String REQUESTS = "queries-dev.jsonl";
    private static final int TIMED_ERRORS = 100; // of each corpus
    private static final int ROUNDS = 30;
    private static final int WARM_UP = 60;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-02-14T12:00:00Z"));

    private RecallQuality() {}

    public static void main(String[] args) throws Exception {
        Path svg = null;
        List<String> corpora = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--svg")) {
                svg = Path.of(args[++i]);
            } else {
                corpora.add(args[i].indexOf('/') < 0 ? "./" + args[i] : args[i]);
            }
        }
        List<HashInput> errors = new ArrayList<>();
        for (String corpus : corpora.isEmpty() ? List.of(DEV) : corpora) {
            List<ErrorCorpus.Event> events = ErrorCorpus.events(corpus);
            measure(corpus, events, svg);
            events.stream()
                    .filter(event ->
                            event.error().length() >= 150 && event.error().length() <= 260)
                    .limit(TIMED_ERRORS)
                    .map(RecallQuality::input)
                    .forEach(errors::add);
        }
        if (!errors.isEmpty()) {
            System.out.println(cost(errors));
        }
    }

    private static HashInput input(ErrorCorpus.Event event) {
        return HashInput.of(event.tool(), event.action()).error(event.error(), event.exitCode());
    }

    /** Times hashing and masking in turns, and compares their medians. */
    private static String cost(List<HashInput> errors) {
        ContextHasher hasher = XMem.hasher();
        long[] hashes = new long[ROUNDS];
        long[] masks = new long[ROUNDS];
        long length = 0; // keeps the compiler from dropping the results
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long start = nanos();
            for (HashInput error : errors) {
                length += hasher.hash(error).value().length();
            }
            long middle = nanos();
            for (HashInput error : errors) {
                length += Masking.masked(error.error()).length();
            }
            if (round >= 0) {
                hashes[round] = middle - start;
                masks[round] = nanos() - middle;
            }
        }
        double hash = median(hashes) / errors.size();
        double mask = median(masks) / errors.size();
        return String.format(
                Locale.ROOT,
                "%d errors of 150 to 260 characters, median of %d rounds, processor time: hash %.1f µs, masking %.1f µs,"
                        + " %.2f times as much%s",
                errors.size(),
                ROUNDS,
                hash / 1000,
                mask / 1000,
                hash / mask,
                length == 0 ? "?" : "");
    }

    private static double median(long[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }

    private static long nanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void measure(String corpus, List<ErrorCorpus.Event> events, @Nullable Path svg) throws Exception {
        Map<String, List<ErrorCorpus.Event>> scenarios = ErrorCorpus.byScenario(events);
        System.out.println("## " + Path.of(corpus).getFileName() + ": " + events.size() + " failures, "
                + scenarios.size() + " scenarios\n");
        System.out.println(pairs(events));
        RetrievalMetrics recalled = new RetrievalMetrics();
        RetrievalMetrics fullText = new RetrievalMetrics();
        Map<String, RetrievalMetrics> byGroup = new TreeMap<>();
        recalled(scenarios, recalled, fullText, byGroup);
        System.out.println(RetrievalMetrics.header());
        System.out.println(recalled.row("recall, one entry per scenario"));
        System.out.println(fullText.row("FTS5, the same entries and failures"));
        byGroup.forEach((group, metrics) -> System.out.println(metrics.row("recall, group " + group)));
        System.out.println(withoutTool(scenarios).row("recall, no entry of the tool stored"));
        System.out.println(withoutScenario(scenarios).row("recall, the scenario not stored"));
        List<BarPlot.Group> groups = new ArrayList<>();
        groups.add(new BarPlot.Group("failures @1", recalled.hitsAt1(), fullText.hitsAt1()));
        groups.add(new BarPlot.Group("precision", recalled.precision(), fullText.precision()));
        if (corpus.equals(DEV)) {
            RetrievalMetrics words = new RetrievalMetrics();
            RetrievalMetrics wordsFullText = new RetrievalMetrics();
            searched(scenarios, words, wordsFullText);
            System.out.println(words.row("search, paraphrased requests"));
            System.out.println(wordsFullText.row("FTS5, the same requests"));
            groups.add(new BarPlot.Group("requests @1", words.hitsAt1(), wordsFullText.hitsAt1()));
            groups.add(new BarPlot.Group("requests @3", words.hitsAt3(), wordsFullText.hitsAt3()));
            groups.add(new BarPlot.Group("requests @8", words.hitsAt8(), wordsFullText.hitsAt8()));
        }
        System.out.println();
        if (svg != null) {
            String plot =
                    BarPlot.svg("Correct entry found, one entry per scenario", List.of("xmem", "SQLite FTS5"), groups);
            Files.write(svg, plot.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Compares pairs with equal hashes to pairs of one scenario, for all failures and for each group. */
    private static String pairs(List<ErrorCorpus.Event> events) {
        ContextHasher hasher = XMem.hasher();
        DrainPeer drain = new DrainPeer();
        Map<String, List<ErrorCorpus.Event>> groups = groups(events);
        StringBuilder table = new StringBuilder("| pairwise F1 (precision, recall) | "
                + String.join(" | ", groups.keySet()) + " |\n| ---" + " | ---".repeat(groups.size()) + " |\n");
        Map<String, Function<ErrorCorpus.Event, String>> engines = new LinkedHashMap<>();
        engines.put("context hash", event -> hasher.hash(input(event)).value());
        engines.put("masked error line", event -> event.tool() + "|" + DrainPeer.maskedErrorLine(event.error()));
        engines.put("Drain on the masked error line", event -> event.tool() + "|" + drain.add(event));
        engines.forEach((name, engine) -> {
            Map<ErrorCorpus.Event, String> keys = new IdentityHashMap<>();
            events.forEach(event -> keys.put(event, engine.apply(event)));
            table.append("| ").append(name);
            groups.values().forEach(group -> table.append(" | ").append(f1(group, keys)));
            table.append(" |\n");
        });
        return table.toString();
    }

    /** Returns all failures, and those of each group, in alphabetical order. */
    private static Map<String, List<ErrorCorpus.Event>> groups(List<ErrorCorpus.Event> events) {
        Map<String, List<ErrorCorpus.Event>> groups = new LinkedHashMap<>();
        groups.put("all", events);
        events.stream()
                .map(ErrorCorpus.Event::group)
                .filter(group -> !group.isEmpty())
                .distinct()
                .sorted()
                .forEach(group -> groups.put(
                        group,
                        events.stream()
                                .filter(event -> event.group().equals(group))
                                .toList()));
        return groups;
    }

    private static String f1(List<ErrorCorpus.Event> events, Map<ErrorCorpus.Event, String> keys) {
        Map<String, Integer> scenarios = new HashMap<>();
        Map<String, Integer> clusters = new HashMap<>();
        Map<String, Integer> both = new HashMap<>();
        for (ErrorCorpus.Event event : events) {
            String key = keys.getOrDefault(event, "");
            scenarios.merge(event.scenario(), 1, Integer::sum);
            clusters.merge(key, 1, Integer::sum);
            both.merge(event.scenario() + "\n" + key, 1, Integer::sum);
        }
        double right = pairs(both);
        double precision = right / Math.max(1, pairs(clusters));
        double recall = right / Math.max(1, pairs(scenarios));
        return String.format(
                Locale.ROOT,
                "%.3f (%.3f, %.3f)",
                right == 0 ? 0 : 2 * precision * recall / (precision + recall),
                precision,
                recall);
    }

    private static double pairs(Map<String, Integer> counts) {
        return counts.values().stream().mapToDouble(n -> n * (n - 1) / 2.0).sum();
    }

    private static void recalled(
            Map<String, List<ErrorCorpus.Event>> scenarios,
            RetrievalMetrics recalled,
            RetrievalMetrics fullText,
            Map<String, RetrievalMetrics> byGroup)
            throws Exception {
        try (Memory memory = new Memory();
                Fts5Index entries = new Fts5Index()) {
            for (List<ErrorCorpus.Event> scenario : scenarios.values()) {
                memory.store(scenario.get(0));
                entries.add(scenario.get(0));
            }
            for (Map.Entry<String, List<ErrorCorpus.Event>> scenario : scenarios.entrySet()) {
                for (ErrorCorpus.Event event : others(scenario.getValue())) {
                    List<String> found = memory.recall(event);
                    recalled.add(Set.of(scenario.getKey()), found);
                    if (!event.group().isEmpty()) {
                        byGroup.computeIfAbsent(event.group(), group -> new RetrievalMetrics())
                                .add(Set.of(scenario.getKey()), found);
                    }
                    fullText.add(Set.of(scenario.getKey()), entries.search(Fts5Index.text(event)));
                }
            }
        }
    }

    private static List<ErrorCorpus.Event> others(List<ErrorCorpus.Event> scenario) {
        return scenario.subList(1, scenario.size());
    }

    /** Recalls every failure from a store without entries of its tool. Nothing should be returned. */
    private static RetrievalMetrics withoutTool(Map<String, List<ErrorCorpus.Event>> scenarios) {
        Set<String> tools = new HashSet<>();
        scenarios.values().forEach(scenario -> tools.add(scenario.get(0).tool()));
        RetrievalMetrics quality = new RetrievalMetrics();
        for (String tool : tools) {
            try (Memory memory = new Memory()) {
                scenarios.values().stream()
                        .map(scenario -> scenario.get(0))
                        .filter(event -> !event.tool().equals(tool))
                        .forEach(memory::store);
                scenarios.values().stream()
                        .flatMap(List::stream)
                        .filter(event -> event.tool().equals(tool))
                        .forEach(event -> quality.add(Set.of(), memory.recall(event)));
            }
        }
        return quality;
    }

    /** Recalls every failure from a store with all other scenarios of its tool. Everything returned is wrong. */
    private static RetrievalMetrics withoutScenario(Map<String, List<ErrorCorpus.Event>> scenarios) {
        RetrievalMetrics quality = new RetrievalMetrics();
        scenarios.forEach((left, asked) -> {
            try (Memory memory = new Memory()) {
                scenarios.forEach((name, events) -> {
                    if (!name.equals(left)
                            && events.get(0).tool().equals(asked.get(0).tool())) {
                        memory.store(events.get(0));
                    }
                });
                asked.forEach(event -> quality.add(Set.of(), memory.recall(event)));
            }
        });
        return quality;
    }

    private static void searched(
            Map<String, List<ErrorCorpus.Event>> scenarios, RetrievalMetrics words, RetrievalMetrics fullText)
            throws Exception {
        try (Memory memory = new Memory();
                Fts5Index entries = new Fts5Index()) {
            for (List<ErrorCorpus.Event> scenario : scenarios.values()) {
                memory.store(scenario.get(0));
                entries.add(scenario.get(0));
            }
            for (ErrorCorpus.Request request : ErrorCorpus.requests(REQUESTS)) {
                words.add(request.relevant(), memory.search(request.words()));
                fullText.add(request.relevant(), entries.search(request.words()));
            }
        }
    }

    /** An in-memory store that knows the scenario of each entry. */
    private static final class Memory implements AutoCloseable {
        private final XMemStore store = XMem.inMemoryBuilder().clock(CLOCK).open();
        private final Map<String, String> scenarios = new HashMap<>();

        void store(ErrorCorpus.Event event) {
            Entry entry = store.recordFailure(Failure.of(
                    ToolCall.json(event.tool(), event.action()), ToolError.exit(event.exitCode(), event.error())));
            scenarios.put(entry.id(), event.scenario());
        }

        List<String> recall(ErrorCorpus.Event event) {
            Advice advice = store.recall(
                    ToolCall.json(event.tool(), event.action()), ToolError.exit(event.exitCode(), event.error()));
            return scenariosOf(advice.matches());
        }

        List<String> search(String words) {
            return scenariosOf(store.search(Query.words(words)).matches());
        }

        private List<String> scenariosOf(List<Match> matches) {
            return matches.stream()
                    .map(match -> scenarios.getOrDefault(match.entry().id(), "?"))
                    .toList();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
