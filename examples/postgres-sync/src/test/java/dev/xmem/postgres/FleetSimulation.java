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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Simulated agents, each with a store of its own, that share one memory. Each agent fails in families that it draws
 * from a number of families; if its memory says nothing, it records a lesson. Keeps when each call was made, and
 * whether the lesson was told.
 *
 * <p>As a program it is one of the processes of {@link FleetSoak}: {@code FleetSimulation JDBC-URL SCHEMA AGENTS
 * SECONDS FAILURES-A-MINUTE FAMILIES SEED OUTAGE-SECONDS GUARD-MILLIS FOLDER}. It waits for a line before each part.
 */
final class FleetSimulation implements AutoCloseable {
    private static final Duration SYNC = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration REFRESH = Duration.ofMillis(Integer.getInteger("fleet.refreshMillis", 250));

    private final int agents;
    private final PostgresSharedMemory memory;
    private final List<XMemStore> stores = new ArrayList<>();
    private final List<BitSet> seen = new ArrayList<>();
    private final int seed;
    private final Random random;
    private final int families;
    private final List<Call> calls = new ArrayList<>();
    private final List<Lesson> lessons = new ArrayList<>();
    private final BitSet begun = new BitSet();

    /**
     * A failure that an agent asked its guard about.
     *
     * @param at when, in microseconds since 1970
     * @param agent its number among those of all processes
     * @param first whether the agent had not failed in this family before
     * @param told whether the answer had the lesson
     * @param begun whether the agent had asked before: its first question opens the memory
     * @param took how long the answer took, in microseconds
     */
    record Call(
            long at,
            int family,
            int agent,
            boolean first,
            boolean told,
            boolean begun,
            boolean unavailable,
            long took) {}

    /** A lesson that an agent recorded, and the key of its family. */
    record Lesson(long at, int family, int agent, long key) {}

    FleetSimulation(
            Path folder,
            PostgresSharedMemory memory,
            int agents,
            int families,
            int seed,
            Duration sync,
            Duration guardLimit) {
        this.agents = agents;
        this.memory = memory;
        this.families = families;
        this.seed = seed;
        this.random = new Random(seed);
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
        boolean first;
        synchronized (seen.get(agent)) {
            first = !seen.get(agent).get(family);
            seen.get(agent).set(family);
        }
        long at = micros();
        long start = System.nanoTime();
        Advice advice = store.guard().failed(call, error);
        long took = (System.nanoTime() - start) / 1_000;
        boolean told = advice.text().contains("lesson " + family + ".");
        boolean unavailable = advice.status() == Advice.Status.UNAVAILABLE;
        synchronized (this) {
            calls.add(new Call(at, family, number(agent), first, told, begun.get(agent), unavailable, took));
            begun.set(agent);
        }
        if (first && !told) {
            Failure recorded =
                    store.recordFailure(Failure.of(call, error).patternAvoid("Use the lesson " + family + "."));
            Lesson lesson = new Lesson(micros(), family, number(agent), FamilyFilter.key(recorded.ctxHash()));
            synchronized (this) {
                lessons.add(lesson);
            }
        }
    }

    private int number(int agent) {
        return seed * agents + agent;
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    synchronized List<Lesson> lessons() {
        return List.copyOf(lessons);
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

    /** One line of figures of the process. */
    String report(double seconds) {
        long late = stores.stream()
                .mapToLong(store -> store.stats().layers().get(0).late())
                .sum();
        return String.format(
                Locale.ROOT,
                "fleet: %d agents, %d answers of the memory late, %.1f lookups and refreshes a second,"
                        + " %.1f MB a day received",
                agents,
                late,
                memory.queries() / seconds,
                memory.bytesReceived() / seconds * 86_400 / 1e6);
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
                        Integer.parseInt(args[6]),
                        SYNC,
                        Duration.ofMillis(Long.parseLong(args[8])))) {
            System.out.println("ready");
            in.readLine();
            long cpu = cpuNanos();
            fleet.run(seconds, rate);
            System.out.println(fleet.report(seconds)
                    + String.format(Locale.ROOT, ", %.1f s of processor time", (cpuNanos() - cpu) / 1e9));
            fleet.calls().forEach(FleetSimulation::print);
            fleet.lessons().forEach(FleetSimulation::print);
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

    private static void print(Call call) {
        System.out.printf(
                "call %d %d %d %b %b %b %b %d%n",
                call.at, call.family, call.agent, call.first, call.told, call.begun, call.unavailable, call.took);
    }

    private static void print(Lesson lesson) {
        System.out.printf("lesson %d %d %d %d%n", lesson.at, lesson.family, lesson.agent, lesson.key);
    }

    private static long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }
}
