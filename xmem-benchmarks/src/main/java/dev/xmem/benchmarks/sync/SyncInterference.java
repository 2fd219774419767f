package dev.xmem.benchmarks.sync;

import dev.xmem.Failure;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.git.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Measures the effect of sync on appends: their p99 without sync, with a repository, and with a remote that never
 * answers, in interleaved runs, and the time to close. One append per millisecond. Arguments: runs (default 5),
 * appends per run (default 10000).
 */
public final class SyncInterference {
    private static final int WARM_UP = 5_000;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private SyncInterference() {}

    /** The remote of the store. */
    private enum Remote {
        NONE,
        REPOSITORY,
        UNRESPONSIVE
    }

    /** The result of one run. */
    private record Run(double p99Micros, double closeMillis, long published) {}

    /** Runs the measurement and prints a table. */
    public static void main(String... args) throws IOException {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        int runs = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int appends = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        double[][] p99 = new double[Remote.values().length][runs];
        double longestClose = 0;
        out.println(
                "| run | p99 off µs | p99 on µs | p99 unresponsive µs | published | close off ms | close on ms | close unresponsive ms |");
        out.println("| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int run = 0; run < runs; run++) {
            Run[] each = new Run[Remote.values().length];
            for (int turn = 0; turn < each.length; turn++) {
                Remote remote = Remote.values()[(run + turn) % each.length];
                each[remote.ordinal()] = run(remote, appends);
                p99[remote.ordinal()][run] = each[remote.ordinal()].p99Micros;
            }
            Run on = each[Remote.REPOSITORY.ordinal()];
            Run silent = each[Remote.UNRESPONSIVE.ordinal()];
            longestClose = Math.max(longestClose, Math.max(on.closeMillis, silent.closeMillis));
            out.printf(
                    Locale.ROOT,
                    "| %d | %.1f | %.1f | %.1f | %d | %.0f | %.0f | %.0f |%n",
                    run + 1,
                    each[Remote.NONE.ordinal()].p99Micros,
                    on.p99Micros,
                    silent.p99Micros,
                    on.published,
                    each[Remote.NONE.ordinal()].closeMillis,
                    on.closeMillis,
                    silent.closeMillis);
        }
        double off = median(p99[Remote.NONE.ordinal()]);
        out.printf(
                Locale.ROOT,
                "median p99: off %.1f µs, on %.1f µs (%.2f×), unresponsive %.1f µs (%.2f×); longest close %.0f ms%n",
                off,
                median(p99[Remote.REPOSITORY.ordinal()]),
                median(p99[Remote.REPOSITORY.ordinal()]) / off,
                median(p99[Remote.UNRESPONSIVE.ordinal()]),
                median(p99[Remote.UNRESPONSIVE.ordinal()]) / off,
                longestClose);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static Run run(Remote remote, int appends) throws IOException {
        Path folder = Files.createTempDirectory("xmem-interference");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Path dir = folder.resolve("store");
            XMem.Builder builder = XMem.builder(dir);
            String url = url(remote, folder, silent);
            if (url != null) {
                builder.sync(
                        GitSyncBackend.of(dir, url).transport(Transport.JGIT).build());
            }
            XMemStore store = builder.open();
            append(store, WARM_UP, false);
            long[] nanos = append(store, appends, true);
            long begin = System.nanoTime();
            long published =
                    store.stats().sync() == null ? 0 : store.stats().sync().published();
            store.close();
            double close = (System.nanoTime() - begin) / 1e6;
            Arrays.sort(nanos);
            return new Run(nanos[(int) (nanos.length * 0.99)] / 1e3, close, published);
        } finally {
            TempRepositories.delete(folder);
        }
    }

    private static @Nullable String url(Remote remote, Path folder, ServerSocket silent) throws IOException {
        return switch (remote) {
            case NONE -> null;
            case REPOSITORY -> TempRepositories.remote(folder).toString();
            case UNRESPONSIVE -> "git://127.0.0.1:" + silent.getLocalPort() + "/x.git";
        };
    }

    private static long[] append(XMemStore store, int count, boolean paced) {
        long[] nanos = new long[count];
        long next = System.nanoTime();
        for (int i = 0; i < count; i++) {
            next += PACE_NANOS;
            while (paced && System.nanoTime() < next) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            long begin = System.nanoTime();
            record(store, i);
            nanos[i] = System.nanoTime() - begin;
            next = Math.max(next, System.nanoTime() - PACE_NANOS);
        }
        return nanos;
    }

    /** Retries while another thread holds the lock; the wait counts. */
    private static void record(XMemStore store, int i) {
        while (true) {
            try {
                store.recordFailure(Failure.of("npm", "install left-pad " + i, "connect ETIMEDOUT"));
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }
}
