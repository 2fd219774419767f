package dev.xmem.postgres;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Simulated agents, each with a store of its own, that share one memory. Each agent fails in families that it draws
 * from a number of families; if its memory says nothing, it records a lesson. Counts how often a lesson that another
 * agent recorded is told at the agent's first sight of the family.
 *
 * <p>As a program it is one of the processes of {@link FleetSoak}: {@code FleetSimulation JDBC-URL SCHEMA AGENTS
 * SECONDS FAILURES-A-MINUTE FAMILIES SEED OUTAGE-SECONDS GUARD-MILLIS FOLDER}. It waits for a line before each part.
 */
final class FleetSimulation implements AutoCloseable {
    private static final Duration SYNC = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration REFRESH = Duration.ofSeconds(1);

    /** A lesson that is older than this can be known to every agent: one sync, one refresh, and a second. */
    private final long knownNanos;

    private final int agents;
    private final PostgresSharedMemory memory;
    private final List<XMemStore> stores = new ArrayList<>();
    private final List<BitSet> seen = new ArrayList<>();
    /** When the first lesson of each family was recorded, and by whom. */
    private final AtomicLongArray recordedAt;

    private final AtomicLongArray recordedBy;
    private final Random random;
    private final List<Long> guardNanos = new ArrayList<>();
    private final int families;
    private final AtomicInteger failures = new AtomicInteger();
    private int known;
    private int told;
    private int justKnown;
    private int justTold;
    private int unavailable;
    private final List<Long> laterNanos = new ArrayList<>();
    private final BitSet begun = new BitSet();

    FleetSimulation(
            Path folder,
            PostgresSharedMemory memory,
            int agents,
            int families,
            long seed,
            Duration sync,
            Duration guardLimit) {
        this.knownNanos = sync.plus(REFRESH).plusSeconds(1).toNanos();
        this.agents = agents;
        this.memory = memory;
        this.families = families;
        this.random = new Random(seed);
        this.recordedAt = new AtomicLongArray(families);
        this.recordedBy = new AtomicLongArray(families);
        for (int i = 0; i < agents; i++) {
            stores.add(XMem.builder(folder.resolve("agent-" + i))
                    .sync(memory.publisher())
                    .syncInterval(sync)
                    .readThrough(memory)
                    .cacheBytes(256 << 10)
                    .guardLimit(guardLimit)
                    .open());
            seen.add(new BitSet(families));
        }
    }

    /** Lets all agents fail at their rate for some seconds, on a few threads. */
    void run(int seconds, double failuresAMinute) throws InterruptedException {
        long count = Math.round(agents * failuresAMinute * seconds / 60);
        long gap = TimeUnit.SECONDS.toNanos(seconds) / Math.max(1, count);
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
        for (long i = 0; i < count; i++) {
            int agent = random.nextInt(agents);
            int family = random.nextInt(families);
            threads.schedule(() -> fail(agent, family), i * gap, TimeUnit.NANOSECONDS);
        }
        threads.shutdown();
        if (!threads.awaitTermination(seconds * 4L + 60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the agents did not end");
        }
    }

    private void fail(int agent, int family) {
        XMemStore store = stores.get(agent);
        ToolCall call = ToolCall.shell("prog" + family + " deploy target").session("session-" + agent);
        ToolError error = ToolError.exit(1, "error: section of prog" + family + " is missing");
        long now = System.nanoTime();
        long since = recordedAt.get(family);
        boolean elsewhere = since != 0 && recordedBy.get(family) != agent + 1;
        Advice advice;
        boolean first;
        synchronized (seen.get(agent)) {
            first = !seen.get(agent).get(family);
            seen.get(agent).set(family);
        }
        advice = store.guard().failed(call, error);
        long took = System.nanoTime() - now;
        boolean hears = advice.text().contains("lesson " + family + ".");
        synchronized (this) {
            failures.incrementAndGet();
            guardNanos.add(took);
            if (begun.get(agent)) {
                laterNanos.add(took);
            }
            begun.set(agent);
            unavailable += advice.status() == Advice.Status.UNAVAILABLE ? 1 : 0;
            if (first && elsewhere) {
                boolean settled = now - since > knownNanos;
                known += settled ? 1 : 0;
                told += settled && hears ? 1 : 0;
                justKnown += settled ? 0 : 1;
                justTold += !settled && hears ? 1 : 0;
            }
        }
        if (first && !hears) {
            store.recordFailure(Failure.of(call, error).patternAvoid("Use the lesson " + family + "."));
            if (recordedAt.compareAndSet(family, 0, System.nanoTime())) {
                recordedBy.set(family, agent + 1);
            }
        }
    }

    /** Publishes what waits, in up to ten rounds; returns the number of entries that are not published. */
    long settle() {
        return stores.parallelStream().mapToLong(FleetSimulation::settle).sum();
    }

    private static long settle(XMemStore store) {
        long pending = store.sync(LIMIT).pending();
        for (int rounds = 1; pending > 0 && rounds < 10; rounds++) {
            pending = store.sync(LIMIT).pending();
        }
        return pending;
    }

    /** The number of failures in the stores. */
    long recorded() {
        long recorded = 0;
        for (XMemStore store : stores) {
            store.flush();
            recorded += store.stats().failures();
        }
        return recorded;
    }

    /** The number of stores whose statistics say that the memory does not answer. */
    long problems() {
        return stores.stream()
                .filter(store -> store.stats().layers().get(0).problem() != null)
                .count();
    }

    /** How many first sights of families that are known elsewhere were told, from 0 to 1. */
    double toldShare() {
        return known == 0 ? 1 : told / (double) known;
    }

    int known() {
        return known;
    }

    int failures() {
        return failures.get();
    }

    private static double millis(List<Long> nanos, double quantile) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) (quantile * (sorted.length - 1))] / 1e6;
    }

    /** One line of figures. */
    String report(double seconds) {
        long late = stores.stream()
                .mapToLong(store -> store.stats().layers().get(0).late())
                .sum();
        double bytesADay = memory.bytesReceived() / seconds * 86_400;
        return String.format(
                Locale.ROOT,
                "fleet: %d agents, %d failures in %.0f s of %d families: told %d of %d first sights (%.2f %%), %d of %d"
                        + " that were recorded in the last %d s; guard p50 %.1f ms, p99 after the first call %.1f ms,"
                        + " %d answers of the memory late, %d unavailable;"
                        + " %.1f lookups and refreshes a second; %.1f MB a day received by this process",
                agents,
                failures.get(),
                seconds,
                families,
                told,
                known,
                100 * toldShare(),
                justTold,
                justKnown,
                knownNanos / 1_000_000_000,
                millis(guardNanos, 0.5),
                millis(laterNanos, 0.99),
                late,
                unavailable,
                memory.queries() / seconds,
                bytesADay / 1e6);
    }

    @Override
    public void close() {
        stores.forEach(XMemStore::close);
    }

    public static void main(String[] args) throws InterruptedException, IOException {
        int agents = Integer.parseInt(args[2]);
        int seconds = Integer.parseInt(args[3]);
        double rate = Double.parseDouble(args[4]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (PostgresSharedMemory memory = PostgresSyncBackend.of(args[0])
                        .credentials("postgres", "postgres")
                        .schema(args[1])
                        .sharedMemory(8, REFRESH);
                FleetSimulation fleet = new FleetSimulation(
                        Path.of(args[9]),
                        memory,
                        agents,
                        Integer.parseInt(args[5]),
                        Long.parseLong(args[6]),
                        SYNC,
                        Duration.ofMillis(Long.parseLong(args[8])))) {
            System.out.println("ready");
            in.readLine();
            long cpu = cpuNanos();
            fleet.run(seconds, rate);
            System.out.println(fleet.report(seconds)
                    + String.format(Locale.ROOT, "; %.1f s of processor time", (cpuNanos() - cpu) / 1e9));
            System.out.println("ready");
            in.readLine();
            fleet.run(Integer.parseInt(args[7]), rate);
            System.out.println("fleet: " + fleet.problems() + " of " + agents + " say that the memory does not answer");
            System.out.println("ready");
            in.readLine();
            long pending = fleet.settle();
            System.out.println("recorded " + fleet.recorded() + " " + pending);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
