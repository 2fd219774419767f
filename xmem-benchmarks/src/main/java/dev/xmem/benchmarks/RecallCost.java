package dev.xmem.benchmarks;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures the processor time of a recall, hash and text included, for engines that take turns in one JVM, as
 * {@link QueryCost} does. The failures are those of {@link BenchmarkFixture}. {@code xmem} returns the advice;
 * {@code xmem-matches} also reads every field of every match. {@code sqlite} computes the same hash, and selects and
 * parses the same entries.
 *
 * <pre>
 * java -Xmx1g -cp benchmarks.jar dev.xmem.benchmarks.RecallCost FOLDER 100000 xmem,xmem-matches,sqlite 5 10
 * </pre>
 */
final class RecallCost {
    private RecallCost() {}

    private interface Recall {
        List<String> ids(CorpusEntry failure) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        DatasetCache cache = new DatasetCache(args[0], Integer.parseInt(args[1]));
        List<CorpusEntry> input = new ArrayList<>();
        for (CorpusEntry entry : Dataset.additional(1 << 12)) {
            if (entry.isFailure()) {
                input.add(entry);
            }
        }
        Map<String, Recall> engines = new LinkedHashMap<>();
        List<AutoCloseable> open = new ArrayList<>();
        for (String engine : args[2].split(",")) {
            engines.put(engine, engine(engine, cache, input, open));
        }
        for (int round = 1; round <= Integer.parseInt(args[3]); round++) {
            for (String engine : engines.keySet()) {
                Recall recall = Objects.requireNonNull(engines.get(engine));
                List<Long> nanos = measure(recall, input, Long.parseLong(args[4]) * 1_000_000_000);
                System.out.printf(
                        "round %d, %s: median %.1f µs, mean %.1f µs, p99 %.1f µs of %d recalls%n",
                        round,
                        engine,
                        nanos.get(nanos.size() / 2) / 1e3,
                        nanos.stream().mapToLong(n -> n).average().orElse(0) / 1e3,
                        nanos.get(nanos.size() * 99 / 100) / 1e3,
                        nanos.size());
            }
        }
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static Recall engine(String engine, DatasetCache cache, List<CorpusEntry> input, List<AutoCloseable> open)
            throws Exception {
        Path folder = cache.directory(Peer.format(engine.startsWith("xmem") ? "xmem" : engine));
        if (!engine.startsWith("xmem")) {
            ContextHasher hasher = XMem.hasher();
            Peer peer = Peer.open(engine, folder, new PrecomputedHasher(input), InstantSource.system());
            open.add(peer);
            return failure -> {
                HashInput call = HashInput.of(failure.text("tool"), failure.text("action"));
                hasher.hash(call.error(failure.hashKey(), null));
                return peer.advice(failure);
            };
        }
        XMemStore store = XMem.builder(folder).hasher(new Hashing(input)).open();
        store.flush();
        open.add(store);
        boolean matches = engine.equals("xmem-matches");
        return failure -> {
            ToolCall call = ToolCall.json(failure.text("tool"), failure.text("action"));
            Advice advice = store.recall(call, ToolError.text(failure.hashKey()));
            return matches ? EntryFields.ids(advice.matches()) : List.of(advice.text());
        };
    }

    /** Computes the hash of the built-in hasher, and returns that of the corpus. */
    private static final class Hashing implements ContextHasher {
        private final ContextHasher hasher = XMem.hasher();
        private final PrecomputedHasher corpus;

        Hashing(List<CorpusEntry> input) {
            this.corpus = new PrecomputedHasher(input);
        }

        @Override
        public String id() {
            return corpus.id();
        }

        @Override
        public ContextHash hash(HashInput input) {
            hasher.hash(input);
            return corpus.hash(input);
        }
    }

    private static List<Long> measure(Recall recall, List<CorpusEntry> input, long duration) throws Exception {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + duration;
        for (int i = 0; i == 0 || System.nanoTime() < end; i++) {
            CorpusEntry failure = input.get(i % input.size());
            long begin = thread.getCurrentThreadCpuTime();
            recall.ids(failure);
            nanos.add(thread.getCurrentThreadCpuTime() - begin);
        }
        Collections.sort(nanos);
        return nanos;
    }
}
