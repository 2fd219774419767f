package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.GuardListener;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.ContextHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The operations that a guard needs from its store. Thread-safe. */
public interface GuardStore {
    /**
     * The result of a recall.
     *
     * @param hash the context hash of the failure that it was for
     * @param excerpt the salient lines of the error, redacted
     */
    record Recalled(ContextHash hash, Advice advice, String excerpt) {}

    boolean isOpen();

    boolean isWritable();

    /** The time of the store's clock. */
    Instant now();

    /** An action with its secrets redacted. */
    String redact(String tool, String action);

    /** An output with its secrets redacted. */
    String redact(String output);

    /** Whether a plug-in redacts or hashes calls: it may take any time. */
    boolean callsPlugins();

    /** The operation of a call, whatever its result; tool and action are redacted. */
    String operation(String tool, String action);

    /** The context hash of a call that fails with a text. */
    String family(String tool, String action, String output);

    /** Recalls a failure from the published snapshot; takes no lock of the writers. */
    Recalled recall(String tool, String action, ToolError error) throws IOException;

    /**
     * The recorded failures at one time.
     *
     * @param log identifies their log; another one takes its place when it is compacted
     * @param lines the number of its lines
     */
    record Version(Object log, int lines) {}

    /** Takes a failure and the number of its line in the log. */
    @FunctionalInterface
    interface FailureConsumer {
        void accept(int line, Failure failure);
    }

    /** The failures that are in the index. Reads no file. */
    Version version();

    /** Adds to the index what other processes recorded; never waits for a writer. */
    void refresh() throws IOException;

    /** Passes the newest failures to a consumer, in log order; at most {@code most} lines are read. */
    void failures(int most, FailureConsumer each) throws IOException;

    /**
     * Passes the newest failures of an operation to a consumer, in log order. They are found among those whose context
     * hash begins with the operation, those of the tool whose hash tells no operation, and those of the tool whatever
     * their hash is, since another program or hasher may have made it.
     *
     * @param tool the tool of a call, redacted
     * @param action the action of the call, redacted
     * @param most at most this many failures are passed; of the lines of the tool, at most eight times as many are
     *     looked at
     * @return the version that they are of
     */
    Version failuresOf(String tool, String action, int most, FailureConsumer each) throws IOException;

    /** The text of a page with the user's rules, those that match a message first; empty if there are none. */
    String rules(String message, int most);

    /** The entry with an id, shown or hidden, in this store or the layer that the id names. */
    Optional<Entry> find(String id);

    /** Stores an entry. */
    Entry record(EntryDraft draft) throws IOException;

    /** Votes on an entry, once per session; returns false if the session has voted before. */
    boolean vote(String id, Outcome outcome, String session) throws IOException;

    /** The file system of the store. */
    FileSystem files();

    /** The folder of the store's files that belong to this machine. */
    Path localFolder();

    /** Whether guards of other processes see the sessions of this one. */
    boolean sharesSessions();

    /** How to note a lesson for a failure; null if the guard does not say it. */
    @Nullable String lessonHint(String failureId);

    /** Whether the guard says how to note a lesson. */
    boolean hintsAtLessons();

    /** A text between the borders of advice; begins with a newline. */
    String fenced(String body);

    int tokens(String text);

    /** Starts a task on another thread; returns false if it is rejected. */
    boolean runNow(Runnable task);

    /** Runs a task in the background after a delay, unless it is scheduled already. */
    void runLater(Runnable task, Duration delay);

    /** Counts a recall; the advice is null if the recall exceeded its time limit. */
    void countRecall(@Nullable Advice advice);

    /** Counts a call that was answered with {@link Advice.Status#UNAVAILABLE}. */
    void countUnavailable();

    /** The listeners of the guard; usually none. */
    default List<GuardListener> listeners() {
        return List.of();
    }

    /** Counts a record that is lost. */
    void countDropped();
}
