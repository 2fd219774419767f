package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Exports when the sync worker publishes, so that nobody has to. Beside another backend the export is no part of the rounds:
 * what goes wrong with it is told of among what was refused, and tried again, twice as long after each time up to a minute.
 */
final class ExportingBackend implements SyncBackend {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final GitExport export;
    private final @Nullable SyncBackend sync;
    /** What others published is there after the round; what was exported before the store was closed is not known. */
    private boolean due = true;

    private long notBefore = System.nanoTime();
    private long pause = FIRST_PAUSE_NANOS;
    private @Nullable String problem;

    ExportingBackend(GitExport export, @Nullable SyncBackend sync) {
        this.export = export;
        this.sync = sync;
    }

    @Override
    public String id() {
        return sync == null ? "git-export" : sync.id();
    }

    @Override
    public Set<Ability> abilities() {
        return sync == null ? Set.of(Ability.WRITE_ONLY) : sync.abilities();
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        if (sync == null) {
            export(limit);
            return Ack.accepted();
        }
        long deadline = System.nanoTime() + limit.toNanos();
        Ack ack = sync.publish(own, limit);
        if (ack.isAccepted()) {
            due = true;
            exportIfDue(deadline);
        }
        return ack;
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        if (sync == null) {
            return Batch.of(List.of(), List.of(), false);
        }
        long deadline = System.nanoTime() + limit.toNanos();
        Batch batch = sync.poll(known, maxBytes, limit);
        if (batch.chunks().isEmpty()) {
            exportIfDue(deadline);
        } else {
            due = true;
        }
        List<String> refused = new ArrayList<>(batch.refused());
        if (problem != null) {
            refused.add("not exported: " + problem);
        }
        return Batch.of(batch.chunks(), refused, batch.more());
    }

    private void export(Duration limit) throws IOException {
        String why = export.export(limit).problem();
        if (why != null) {
            throw new IOException(why);
        }
    }

    private void exportIfDue(long deadline) {
        long now = System.nanoTime();
        if (!due || now - notBefore < 0 || deadline - now <= 0) {
            return;
        }
        try {
            export(Duration.ofNanos(deadline - now));
            due = false;
            problem = null;
            pause = FIRST_PAUSE_NANOS;
        } catch (IOException | RuntimeException e) {
            problem = e.getMessage() == null ? e.toString() : e.getMessage();
            notBefore = System.nanoTime() + pause;
            pause = Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
        }
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        if (sync == null) {
            SyncBackend.super.retire(replica, limit);
        } else {
            sync.retire(replica, limit);
        }
    }

    @Override
    public void close() throws IOException {
        if (sync != null) {
            sync.close();
        }
    }
}
