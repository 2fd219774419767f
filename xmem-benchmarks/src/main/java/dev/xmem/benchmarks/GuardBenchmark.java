package dev.xmem.benchmarks;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a guard around a successful call, beside one append of a failure with the built-in hasher to
 * the same store. The store has warnings, so {@code before} looks up each call. Half of the calls match a stored
 * failure.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class GuardBenchmark {
    private static final int OPERATIONS = 32;
    private static final int CALLS = 1024;

    /** The number of stored failures. */
    @Param("10000")
    public int entries;

    private @Nullable Path folder;
    private @Nullable XMemStore store;
    private @Nullable ToolGuard guard;
    private final ToolCall[] calls = new ToolCall[CALLS];
    private int next;

    /** Fills the store. Fails unless the guard warns of a known call and is silent for an unknown one. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        Path created = Files.createTempDirectory("xmem-guard-benchmark");
        folder = created;
        // The checks below are calls of a cold program, perhaps on a busy machine.
        XMemStore opened =
                XMem.builder(created).guardLimit(Duration.ofSeconds(10)).open();
        store = opened;
        for (int i = 0; i < entries; i++) {
            opened.recordFailure(failure(i));
        }
        opened.flush();
        ToolGuard ours = opened.guard();
        ours.warmUp();
        guard = ours;
        for (int i = 0; i < CALLS; i++) {
            String line = i % 2 == 0 ? known(i) : "git checkout -q topic-" + i + " -- src/main/java/File" + i + ".java";
            calls[i] = ToolCall.shell(line).session("agent-" + i % 50).callId("call-" + i);
        }
        Advice warned = ours.before(calls[0]);
        Advice silent = ours.before(calls[1]);
        if (warned.isEmpty() || !silent.isEmpty()) {
            throw new IllegalStateException(
                    "the guard should warn of the known call only: " + warned.reason() + "; " + silent.reason());
        }
    }

    private static String known(int i) {
        return "tool" + i % OPERATIONS + " sync --fast remote-" + i + ":folder /data/" + i;
    }

    private static Failure.Draft failure(int i) {
        ToolCall call = ToolCall.shell(known(i)).session("session-" + i % 500);
        ToolError error = ToolError.exit(
                1,
                "error: remote 'remote-" + i + "' not found in the configuration file /etc/tool/" + i + ".conf; "
                        + "tried 3 times, last at 12:00:0" + i % 10);
        return Failure.of(call, error)
                .patternAvoid("List the remotes first: tool listremotes")
                .tags("remote", "config");
    }

    /** Calls {@code before} and {@code succeeded} for one call. */
    @Benchmark
    public Advice beforeAndSucceeded() {
        int i = next++;
        ToolCall call = calls[i & (CALLS - 1)].callId("call-" + i);
        Advice advice = guard().before(call);
        guard().succeeded(call);
        return advice;
    }

    /** Does the same for an operation without stored failures, without a new call id. */
    @Benchmark
    public Advice beforeAndSucceededUnknown() {
        ToolCall call = calls[next++ & (CALLS - 1) | 1];
        Advice advice = guard().before(call);
        guard().succeeded(call);
        return advice;
    }

    /** Calls {@code before} alone; half of the calls get a warning. */
    @Benchmark
    public Advice before() {
        return guard().before(calls[next++ & (CALLS - 1)]);
    }

    /** Appends one failure. */
    @Benchmark
    public Failure append() {
        return Objects.requireNonNull(store).recordFailure(failure(next++));
    }

    private ToolGuard guard() {
        return Objects.requireNonNull(guard);
    }

    /** Closes and deletes the store. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Objects.requireNonNull(store).close();
        LogFiles.delete(Objects.requireNonNull(folder));
    }
}
