package dev.xmem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkFixtureTest {
    private static final int THREADS = 8;
    private static final int EACH = 25;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"xmem", "xmem-hashing", "floor", "sqlite"})
    void appendsAndRecalls_everyEngine_matchGroundTruth(String engine) throws Exception {
        BenchmarkFixture bench = new BenchmarkFixture(engine, new DatasetCache(folder.toString(), 400));
        bench.compareAppends();
        if (!engine.equals("xmem-hashing")) {
            bench.compareRecalls();
            bench.compareDurableAppends();
        }
        bench.delete();
    }

    @ParameterizedTest
    @ValueSource(strings = {"xmem", "floor", "sqlite"})
    void durableAppends_manyThreads_areStoredOnce(String engine) throws Exception {
        BenchmarkFixture bench = new BenchmarkFixture(engine, new DatasetCache(folder.toString(), 100));
        List<CorpusEntry> input = bench.input();
        Set<String> ids = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Peer peer = bench.openDurable(InstantSource.system())) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * EACH;
                running.add(threads.submit(() -> {
                    for (CorpusEntry entry : input.subList(first, first + EACH)) {
                        ids.add(peer.append(entry));
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
            assertThat(ids).hasSize(THREADS * EACH);
            Set<String> failures = Set.copyOf(peer.lastLines(Entry.Kind.FAILURE, THREADS * EACH));
            Set<String> successes = Set.copyOf(peer.lastLines(Entry.Kind.SUCCESS, THREADS * EACH));
            assertThat(ids).allMatch(id -> has(failures, id) || has(successes, id));
        }
        threads.shutdown();
        bench.delete();
    }

    private static boolean has(Set<String> lines, String id) {
        return lines.stream()
                        .filter(line -> line.contains("\"id\":\"" + id + "\""))
                        .count()
                == 1;
    }

    @Test
    void resultFile_hasMedianAndMean() throws Exception {
        Path file = folder.resolve("result.json");
        JmhResultFile.write(
                file, List.of(new JmhResultFile.Row("a.B.c", Map.of("engine", "x"), "ms/op", List.of(9.0, 1.0, 2.0))));
        String text = Files.readString(file).lines().map(String::strip).collect(Collectors.joining());
        assertThat(text)
                .contains("\"benchmark\" : \"a.B.c\"", "\"engine\" : \"x\"", "\"score\" : 4.0", "\"50.0\" : 2.0")
                .contains("\"100.0\" : 9.0", "\"scoreUnit\" : \"ms/op\"");
    }
}
