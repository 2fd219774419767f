package dev.xmem.agents;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The agents' tools: one reads files, which all are below docs/, and one runs command lines. Thread-safe. */
public final class FileTool {
    private volatile @Nullable CyclicBarrier barrier;
    private volatile String printed = "";

    /** Makes each group of {@code calls} calls return together or fail: proof that they run concurrently. */
    public void requireConcurrentCalls(int calls) {
        barrier = new CyclicBarrier(calls);
    }

    /**
     * Reads a file. A locked file is not an exception but a text that begins with "Error".
     *
     * @throws IllegalArgumentException if the file does not exist
     */
    public String read(String path) {
        CyclicBarrier others = barrier;
        if (others != null) {
            await(others);
        }
        if (path.endsWith("locked.md") && !path.startsWith("docs/")) {
            return "Error: the file is locked by another user";
        }
        if (!path.startsWith("docs/")) {
            throw new IllegalArgumentException("No such file: " + path);
        }
        return "# " + path;
    }

    /** Sets the result of every command line. */
    public void prints(String result) {
        printed = result;
    }

    /** Pretends to run a command line. */
    public String bash(String command) {
        return printed;
    }

    private static void await(CyclicBarrier others) {
        try {
            others.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the tools do not run concurrently", e);
        }
    }
}
