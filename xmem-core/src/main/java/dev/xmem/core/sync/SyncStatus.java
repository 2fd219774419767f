package dev.xmem.core.sync;

import dev.xmem.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of the sync at one moment, or of one round. */
record SyncStatus(
        String backend,
        String replica,
        int published,
        int imported,
        int pending,
        Duration lag,
        @Nullable Instant lastSuccess,
        @Nullable String lastError,
        List<String> refused)
        implements SyncReport {

    static SyncStatus unknown(String backend) {
        return new SyncStatus(backend, "", 0, 0, 0, Duration.ZERO, null, null, List.of());
    }

    /** One round after what was known before. */
    SyncStatus round(RoundResult result, Duration lag, Instant now) {
        Exception failure = result.failure();
        return new SyncStatus(
                backend,
                result.replica().isEmpty() ? replica : result.replica(),
                count(result.published()),
                count(result.imported()),
                count(result.pending()),
                lag,
                failure == null ? now : lastSuccess,
                failure == null ? null : message(failure),
                result.refused());
    }

    /** The totals with another round: counts are added, errors and refusals stay until there are newer ones. */
    SyncStatus plus(SyncStatus round) {
        return new SyncStatus(
                backend,
                round.replica,
                count((long) published + round.published),
                count((long) imported + round.imported),
                round.pending,
                round.lag,
                round.lastSuccess,
                round.lastError == null ? lastError : round.lastError,
                round.refused.isEmpty() ? refused : round.refused);
    }

    /** Nothing done, for this reason. */
    SyncStatus troubled(String what) {
        return new SyncStatus(backend, replica, 0, 0, pending, lag, lastSuccess, what, List.of());
    }

    static String message(Exception failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private static int count(long lines) {
        return (int) Math.min(Integer.MAX_VALUE, lines);
    }
}
