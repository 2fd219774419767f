package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A backend that exports when the sync worker publishes. Together with another backend the export does not affect the
 * rounds: its errors are reported as refusals, and it is retried with exponential backoff up to a minute.
 */
final class ExportingBackend implements SyncBackend {
    private static final long MIN_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final GitExport export;
    private final @Nullable SyncBackend sync;
    /** Whether there may be something to export: true at first, since the last export of the store is not known. */
    private boolean due = true;

    private long notBefore = System.nanoTime();
    private long backoff = MIN_BACKOFF_NANOS;
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
        if (sync == null) {
            return Set.of(Ability.WRITE_ONLY);
        }
        // An export is not written in a group, and polls repeat one that failed.
        Set<Ability> abilities = EnumSet.noneOf(Ability.class);
        abilities.addAll(sync.abilities());
        abilities.remove(Ability.GROUP_COMMIT);
        return abilities;
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
        String error = export.export(limit).problem();
        if (error != null) {
            throw new IOException(error);
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
            backoff = MIN_BACKOFF_NANOS;
        } catch (IOException | RuntimeException e) {
            problem = e.getMessage() == null ? e.toString() : e.getMessage();
            notBefore = System.nanoTime() + backoff;
            backoff = Math.min(MAX_BACKOFF_NANOS, 2 * backoff);
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
