package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a guard asks of the store behind it. Thread-safe. */
public interface GuardStore {
    /** What is known of a failure, and of which family it is. */
    record Recalled(ContextHash hash, Advice advice) {}

    /** Whether the store is open. */
    boolean isOpen();

    /** Whether anything can be recorded. */
    boolean isWritable();

    /** The store's time. */
    Instant now();

    /** An action without secrets. */
    String clean(String tool, String action);

    /** The family of a call that has not happened; tool and action are clean. */
    String operation(String tool, String action);

    /** What is known of a failure by what the store has published; waits for no lock of the writers. */
    Recalled recall(String tool, String action, ToolError error) throws IOException;

    /**
     * Passes failures on, in the order of their log.
     *
     * @param from how many lines were looked at before
     * @param most how many of the newest are wanted at most
     * @return how many lines there are now; less than {@code from} if the log was replaced, and nothing was passed on
     */
    int failures(int from, int most, Consumer<Failure> each) throws IOException;

    /** Stores an entry. */
    Entry record(EntryDraft draft) throws IOException;

    /** Votes once a session; returns false if the session has voted. */
    boolean vote(String id, Outcome outcome, String session) throws IOException;

    /** Runs a task soon, beside whatever runs; false if it cannot be taken. */
    boolean runNow(Runnable task);

    /** Runs a task in the background after a while, unless it waits already. */
    void runLater(Runnable task, Duration delay);

    /** Counts a recall; the advice is null where the recall was not answered in time. */
    void counted(@Nullable Advice advice);

    /** Counts a record that is lost. */
    void dropped();
}
