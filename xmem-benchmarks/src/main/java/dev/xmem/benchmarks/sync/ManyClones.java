package dev.xmem.benchmarks.sync;

import dev.xmem.Failure;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.git.Transport;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Measures many clones that record and sync through one repository with default settings, until every clone has every
 * entry. Compares the design of xmem (one ref per machine) to one branch for all ({@link SharedBranch}), under the
 * same worker. Each clone records an entry about every 20 ms. Arguments: clones (default 16), entries per clone
 * (default 300), time limit per design in seconds (default 900).
 */
public final class ManyClones {
    private static final int PACE_MILLIS = 20;

    private ManyClones() {}

    /** Creates the backend of a clone. */
    private interface Backends {
        SyncBackend of(Path store, Path remote, BackendCounters counters) throws IOException;
    }

    /** Runs both designs and prints a table. */
    public static void main(String... args) throws Exception {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        int clones = args.length > 0 ? Integer.parseInt(args[0]) : 16;
        int entries = args.length > 1 ? Integer.parseInt(args[1]) : 300;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 900;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.printf("%d clones, %d entries each%n%n", clones, entries);
        out.println("| design | pushes | lost races | failures | longest publication | converged after | remote |");
        out.println("| --- | --- | --- | --- | --- | --- | --- |");
        row(out, "one ref per machine", clones, entries, seconds, (store, remote, counters) -> {
            GitSyncBackend git = GitSyncBackend.of(store, remote.toString())
                    .transport(Transport.JGIT)
                    .build();
            return new CountingBackend(git, counters, true);
        });
        row(
                out,
                "one branch for all",
                clones,
                entries,
                seconds,
                (store, remote, counters) -> new CountingBackend(
                        new SharedBranch(store.resolve(".xmem").resolve("git"), remote, counters), counters, false));
    }

    private static void row(PrintStream out, String design, int clones, int entries, int seconds, Backends backends)
            throws Exception {
        Path folder = Files.createTempDirectory("xmem-clones");
        try {
            Path remote = TempRepositories.remote(folder);
            BackendCounters counters = new BackendCounters();
            double elapsed = run(folder, remote, clones, entries, seconds, backends, counters);
            out.printf(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %.1f s | %s | %.1f MB |%n",
                    design,
                    counters.pushes.sum(),
                    counters.races.sum(),
                    counters.failures.sum(),
                    counters.longestPublishNanos.get() / 1e9,
                    elapsed < 0 ? "not within " + seconds + " s" : String.format(Locale.ROOT, "%.1f s", elapsed),
                    TempRepositories.bytes(remote) / 1e6);
        } finally {
            TempRepositories.delete(folder);
        }
    }

    private static double run(
            Path folder, Path remote, int clones, int entries, int seconds, Backends backends, BackendCounters counters)
            throws Exception {
        List<XMemStore> stores = new ArrayList<>();
        try {
            for (int i = 0; i < clones; i++) {
                Path dir = Files.createDirectories(folder.resolve("clone" + i));
                stores.add(XMem.builder(dir)
                        .sync(backends.of(dir, remote, counters))
                        .open());
            }
            long begin = System.nanoTime();
            List<Thread> agents = new ArrayList<>();
            for (int i = 0; i < clones; i++) {
                agents.add(agent(stores.get(i), i, entries));
            }
            for (Thread agent : agents) {
                agent.join();
            }
            long all = (long) clones * entries;
            long deadline = begin + TimeUnit.SECONDS.toNanos(seconds);
            while (!stores.stream().allMatch(store -> has(store, all - entries))) {
                if (System.nanoTime() > deadline) {
                    return -1;
                }
                Thread.sleep(20);
            }
            double elapsed = (System.nanoTime() - begin) / 1e9;
            for (XMemStore store : stores) {
                if (store.stats().failures() != all) {
                    throw new IllegalStateException(store.stats().failures() + " of " + all + " entries");
                }
            }
            return elapsed;
        } finally {
            stores.forEach(XMemStore::close);
        }
    }

    private static boolean has(XMemStore store, long imported) {
        SyncReport sync = store.stats().sync();
        return sync != null && sync.imported() >= imported && sync.pending() == 0;
    }

    private static Thread agent(XMemStore store, int number, int entries) {
        Thread agent = new Thread(
                () -> {
                    Random random = new Random(number);
                    for (int i = 0; i < entries; i++) {
                        store.recordFailure(Failure.of(
                                "tool" + number, "run step " + i, "machine " + number + " cannot find step " + i));
                        sleep(random.nextInt(2 * PACE_MILLIS));
                    }
                },
                "agent-" + number);
        agent.start();
        return agent;
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
