package dev.xmem.core.agent.guard;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a guard needs from its store. Thread-safe. */
public interface GuardStore {
    StoreConfig config();

    /** The file system of the store, which does not leave its folder. */
    FileSystem files();

    Redaction redaction();

    boolean isOpen();

    /** Whether a plug-in redacts or hashes calls: it may take any time. */
    boolean callsPlugins();

    /**
     * The result of a recall.
     *
     * @param hash the context hash of the failure that it was for
     * @param excerpt the salient lines of the error, redacted
     */
    record Recalled(ContextHash hash, Advice advice, String excerpt) {}

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

    /** The ids among these that {@link #find} finds. Looks at the files once. */
    Set<String> existing(Set<String> ids);

    /** Stores an entry. */
    Entry record(EntryDraft draft) throws IOException;

    /** Votes on an entry, once per session; returns false if the session has voted before. */
    boolean vote(String id, Outcome outcome, String session) throws IOException;

    /** A text between the borders of advice; begins with a newline. */
    String fenced(String body);

    /** Counts a recall; the advice is null if the recall exceeded its time limit. */
    void countRecall(@Nullable Advice advice);

    /** Counts a call that was answered with {@link Advice.Status#UNAVAILABLE}. */
    void countUnavailable();

    /** Counts a record that is lost. */
    void countDropped();

    default boolean isWritable() {
        return !config().readOnly();
    }

    /** The time of the store's clock. */
    default Instant now() {
        return config().clock().instant();
    }

    /** An action with its secrets redacted. */
    default String redact(String tool, String action) {
        return redaction().cleanAction(tool, redaction().clean(action));
    }

    /** The operation of a call, whatever its result; tool and action are redacted. */
    default String operation(String tool, String action) {
        return config().hasher().hash(HashInput.of(tool, action)).value();
    }

    /** The context hash of a call that fails with a text. */
    default String family(String tool, String action, String output) {
        Excerpt excerpt = Excerpt.of(tool, action, redaction().clean(output));
        return excerpt.hash(config().hasher(), HashInput.of(tool, action).error(excerpt.text(), null))
                .value();
    }

    /** Starts a task on another thread; returns false if it is rejected. */
    default boolean runNow(Runnable task) {
        return config().resources().background().runNow(task);
    }

    /** Runs a task in the background after a delay, unless it is scheduled already. */
    default void runLater(Runnable task, Duration delay) {
        config().resources().background().schedule(task, delay);
    }
}
