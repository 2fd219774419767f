package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints what queries cost in many segments, in the same segments merged, and in two, in turn, as the time of
 * the median: {@code -Dxmem.merging.entries=10000 -Dxmem.merging.lines=128}. The answers are the same.
 */
@Tag("soak")
class MergingCostTest {
    private static final int ENTRIES = Integer.getInteger("xmem.merging.entries", 10_000);
    private static final int LINES = Integer.getInteger("xmem.merging.lines", 128);
    private static final int ROUNDS = 400;
    private static final int WORDS = 400;
    private static final int BATCH = 500;

    @TempDir
    Path folder;

    private static String word(Random random) {
        return "word" + (int) (WORDS * Math.pow(random.nextDouble(), 3));
    }

    private static EntryDraft failure(int i) {
        Random random = new Random(i);
        StringBuilder error = new StringBuilder("error:");
        for (int k = 0; k < 20; k++) {
            error.append(' ').append(word(random));
        }
        return Failure.of("tool" + random.nextInt(12), "run " + word(random), error + " " + i);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static XMemStore open(Path store, int lines) {
        return TestStores.builder(store, lines).readOnly().open();
    }

    /** A store of this many lines a segment, with all full segments written and none merged. */
    private void write(Path store, int lines) throws IOException {
        Files.createDirectories(store.resolve("data"));
        Path log = folder.resolve("failures.jsonl");
        if (Files.exists(log)) {
            Files.copy(log, store.resolve("data/failures.jsonl"));
        }
        try (XMemStore writer = TestStores.builder(store, lines).open()) {
            for (int i = 0; i < ENTRIES && !Files.exists(log); i += BATCH) {
                writer.recordAll(IntStream.range(i, Math.min(ENTRIES, i + BATCH))
                        .mapToObj(MergingCostTest::failure)
                        .toList());
            }
            writer.search(Query.words("word7"));
        }
        if (!Files.exists(log)) {
            Files.copy(store.resolve("data/failures.jsonl"), log);
        }
    }

    private static long segments(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve(".xmem/index"))) {
            return files.filter(file -> !file.toString().endsWith(".text")).count();
        }
    }

    private static Map<String, BiFunction<XMemStore, Integer, String>> queries(XMemStore any) {
        List<Failure> known = IntStream.range(0, 10)
                .mapToObj(i -> any.search(Query.all().limit(60).offset(60 * i)).matches())
                .flatMap(List::stream)
                .map(match -> (Failure) match.entry())
                .toList();
        List<String> hashes = known.stream().map(Failure::ctxHash).distinct().toList();
        Map<String, BiFunction<XMemStore, Integer, String>> queries = new LinkedHashMap<>();
        queries.put(
                "page of 70 of a hash, as data",
                (store, i) -> page(
                        store,
                        Query.all()
                                .ctxHash(hashes.get(i % hashes.size()))
                                .limit(70 - i / hashes.size())
                                .layout(Query.Layout.DATA)));
        queries.put(
                "ranked, one word",
                (store, i) -> page(store, Query.words("word" + i).limit(20).layout(Query.Layout.DATA)));
        queries.put(
                "ranked, three words",
                (store, i) -> page(
                        store,
                        Query.words("word" + i % 50 + " word" + i + " word" + i * 7 % WORDS)
                                .limit(20)
                                .layout(Query.Layout.DATA)));
        queries.put(
                "recall of a failure",
                (store, i) -> store.recall(
                                        ToolCall.json(
                                                known.get(i % 600).tool(),
                                                known.get(i % 600).action() + " " + i),
                                        ToolError.text(known.get(i % 600).error()))
                                .matches()
                                .size()
                        + "");
        queries.put("literal, absent", (store, i) -> page(store, Query.literal("absent" + i)));
        return queries;
    }

    private static String page(XMemStore store, Query query) {
        var page = store.search(query);
        return page.total() + " "
                + page.matches().stream().map(match -> match.entry().id()).toList();
    }

    @Test
    void queries_inMergedSegments_costAsInFew() throws IOException {
        Path many = folder.resolve("many");
        Path merged = folder.resolve("merged");
        Path few = folder.resolve("few");
        write(many, LINES);
        copy(many, merged);
        try (XMemStore store = TestStores.builder(merged, LINES).open()) {
            while (TestStores.mergeOne(store, () -> false)) {
                // the next one
            }
        }
        int fewLines = Integer.highestOneBit(ENTRIES - 1);
        write(few, fewLines);
        System.out.printf(
                "%,d entries in %d segments, merged to %d, and in %d%n",
                ENTRIES, segments(many), segments(merged), segments(few));
        try (XMemStore one = open(many, LINES);
                XMemStore two = open(merged, LINES);
                XMemStore three = open(few, fewLines)) {
            List<XMemStore> stores = List.of(one, two, three);
            for (var query : queries(one).entrySet()) {
                long[] medians = medians(stores, query.getValue());
                System.out.printf(
                        "%-30s %,d µs, relative to two segments: many %.2f, merged %.2f%n",
                        query.getKey(),
                        medians[2] / 1000,
                        (double) medians[0] / medians[2],
                        (double) medians[1] / medians[2]);
            }
        }
    }

    private static long[] medians(List<XMemStore> stores, BiFunction<XMemStore, Integer, String> query) {
        long[][] nanos = new long[stores.size()][ROUNDS];
        for (int i = -ROUNDS / 2; i < ROUNDS; i++) {
            List<String> answers = new ArrayList<>();
            for (int k = 0; k < stores.size(); k++) {
                long begin = System.nanoTime();
                answers.add(query.apply(stores.get(k), i < 0 ? ROUNDS - i : i));
                nanos[k][Math.max(0, i)] = System.nanoTime() - begin;
            }
            assertThat(answers).containsOnly(answers.get(0));
        }
        return Arrays.stream(nanos)
                .mapToLong(each -> Arrays.stream(each).sorted().toArray()[ROUNDS / 2])
                .toArray();
    }
}
