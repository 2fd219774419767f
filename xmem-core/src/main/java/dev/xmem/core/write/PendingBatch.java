package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The batch of one caller, from the call to its end. Created by the caller's thread; filled by the thread that writes
 * it, which is the caller itself or the leader of a group.
 */
final class PendingBatch {
    final List<PreparedEntry> entries;
    /** The logs that the batch is appended to. */
    final Set<LogName> logs = EnumSet.noneOf(LogName.class);
    /** The length of each log after the batch was written. */
    final Map<LogFile, Long> written = new HashMap<>();

    final Thread thread = Thread.currentThread();
    List<BatchEncoder.EncodedLine> lines = List.of();
    List<Entry> result = List.of();
    private boolean hasGivenId;
    private @Nullable Throwable failure;
    private volatile @Nullable Runnable help;
    private volatile boolean ended;

    PendingBatch(List<PreparedEntry> entries, List<LogName> names) {
        this.entries = entries;
        for (PreparedEntry entry : entries) {
            logs.add(entry.log(names));
            hasGivenId |= entry.text("id") != null;
        }
    }

    /** Whether a caller gave one of the entries its id. */
    boolean hasGivenId() {
        return hasGivenId;
    }

    /** Runs a step for this batch, unless an earlier step failed. */
    void run(IoAction step) {
        if (failure == null) {
            try {
                step.run();
            } catch (IOException | RuntimeException | Error e) {
                failed(e);
            }
        }
    }

    /** The batch is not recorded, or it is unknown whether it is. The first failure counts. */
    void failed(Throwable e) {
        failure = failure == null ? e : failure;
    }

    /** Returns the recorded entries, or throws what the first failed step threw. */
    List<Entry> result() throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        return result;
    }

    /** Has the waiting caller run a task. The caller may come too late and not run it. */
    void help(Runnable task) {
        help = task;
        LockSupport.unpark(thread);
    }

    /** Releases the waiting caller. */
    void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    /** Waits for {@link #end} and keeps an interrupt for later. */
    void await() {
        boolean interrupted = false;
        while (!ended) {
            Runnable task = help;
            if (task == null) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            } else {
                help = null;
                task.run();
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
    }
}
