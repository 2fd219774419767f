package dev.xmem.agents;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What the agents' one tool does: it reads files, all of which are below docs/. Thread-safe. */
public final class Library {
    private volatile @Nullable CyclicBarrier meeting;

    /** From now on so many calls return together or not at all: proof that they run concurrently. */
    public void meet(int calls) {
        meeting = new CyclicBarrier(calls);
    }

    /**
     * Reads a file; one that is locked is no exception but a text that begins with "Error".
     *
     * @throws IllegalArgumentException if the file is not there
     */
    public String read(String path) {
        CyclicBarrier others = meeting;
        if (others != null) {
            await(others);
        }
        if (path.equals("locked.md")) {
            return "Error: the file is locked by another user";
        }
        if (!path.startsWith("docs/")) {
            throw new IllegalArgumentException("No such file: " + path);
        }
        return "# " + path;
    }

    private static void await(CyclicBarrier others) {
        try {
            others.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the tools do not run concurrently", e);
        }
    }
}
