package dev.xmem.core.sync;

import dev.xmem.SyncReport;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report of one round, or of all rounds since the store was opened. */
record SyncStatus(
        String backend,
        String replica,
        int published,
        int imported,
        int pending,
        Duration lag,
        @Nullable Instant lastSuccess,
        @Nullable String lastError,
        List<String> refused,
        List<SyncReport.Unread> unread)
        implements SyncReport {

    /** The status before the first round. */
    static SyncStatus initial(String backend) {
        return new SyncStatus(backend, "", 0, 0, 0, Duration.ZERO, null, null, List.of(), List.of());
    }

    /** The report of one round that follows this status. */
    SyncStatus round(SyncRound.Result result, Duration lag, Instant now) {
        Exception failure = result.failure();
        return new SyncStatus(
                backend,
                result.replica().isEmpty() ? replica : result.replica(),
                count(result.published()),
                count(result.imported()),
                count(result.pending()),
                lag,
                failure == null ? now : lastSuccess,
                failure == null ? null : problem(failure),
                result.refused(),
                result.unread());
    }

    /** The totals including another round: counts are added, errors and refusals stay until newer ones replace them. */
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
                round.refused.isEmpty() ? refused : round.refused,
                round.unread);
    }

    /** A sentence on what ended a round. Any exception but an {@link IOException} is called unexpected. */
    static String problem(Throwable failure) {
        if (!(failure instanceof IOException)) {
            return "the round ended by an unexpected " + failure
                    + "; the next one tries again. The logger dev.xmem has the stack trace at level DEBUG";
        }
        boolean onlyPath = failure instanceof FileSystemException file && file.getReason() == null;
        String message = failure.getMessage();
        return message == null || onlyPath ? failure.toString() : message;
    }

    /** The report of a round that did nothing, with the reason. */
    SyncStatus withError(String error) {
        return new SyncStatus(backend, replica, 0, 0, pending, lag, lastSuccess, error, List.of(), unread);
    }

    private static int count(long lines) {
        return (int) Math.min(Integer.MAX_VALUE, lines);
    }
}
