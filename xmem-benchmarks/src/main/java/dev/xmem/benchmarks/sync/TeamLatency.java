package dev.xmem.benchmarks.sync;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.git.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Measures how soon a second machine recalls a failure that the first one records, with default settings and a bare
 * repository. The second machine polls its store. Argument: repetitions per transport (default 20).
 */
public final class TeamLatency {
    private static final long TIMEOUT_NANOS = 120_000_000_000L;

    private TeamLatency() {}

    /** Runs the measurement and prints a table. */
    public static void main(String... args) throws Exception {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println("| transport | median s | longest s | within 5 s |");
        out.println("| --- | --- | --- | --- |");
        for (Transport transport : Transport.values()) {
            double[] seconds = run(transport, times);
            Arrays.sort(seconds);
            out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %d of %d |%n",
                    transport,
                    seconds[times / 2],
                    seconds[times - 1],
                    Arrays.stream(seconds).filter(s -> s <= 5).count(),
                    times);
        }
    }

    private static double[] run(Transport transport, int times) throws Exception {
        Path folder = Files.createTempDirectory("xmem-latency");
        double[] seconds = new double[times];
        Random random = new Random(1);
        try {
            Path remote = TempRepositories.remote(folder);
            try (XMemStore a = open(folder.resolve("a"), remote, transport);
                    XMemStore b = open(folder.resolve("b"), remote, transport)) {
                for (int i = 0; i < times; i++) {
                    Thread.sleep(random.nextInt(3000));
                    seconds[i] = once(a, b, "tool" + (char) ('a' + i % 26) + (char) ('a' + i / 26));
                }
            }
        } finally {
            TempRepositories.delete(folder);
        }
        return seconds;
    }

    private static XMemStore open(Path dir, Path remote, Transport transport) throws IOException {
        return XMem.builder(dir)
                .sync(GitSyncBackend.of(dir, remote.toString())
                        .transport(transport)
                        .build())
                .open();
    }

    private static double once(XMemStore a, XMemStore b, String tool) throws InterruptedException {
        ToolError error = ToolError.exit(1, "didn't find section in config file");
        a.recordFailure(Failure.of(ToolCall.shell(tool + " sync x:y /z").session("monday"), error)
                .patternAvoid("Look first"));
        long begin = System.nanoTime();
        Advice advice = b.recall(ToolCall.shell(tool + " sync p:q /r").session("tuesday"), error);
        while (advice.isEmpty() && System.nanoTime() - begin < TIMEOUT_NANOS) {
            Thread.sleep(20);
            advice = b.recall(ToolCall.shell(tool + " sync p:q /r").session("tuesday"), error);
        }
        return (System.nanoTime() - begin) / 1e9;
    }
}
