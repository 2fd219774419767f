package dev.xmem.core.base.config;

import dev.xmem.Entry;
import java.nio.file.Path;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * A log that a store reads.
 *
 * @param kind the kind of its lines, unless a line names another one
 * @param origin the owner of the lines
 * @param file the path of the log
 * @param fromMillis the earliest expected time of a line, inclusive
 * @param toMillis the latest expected time of a line, exclusive
 */
public record LogDescriptor(Entry.Kind kind, Origin origin, Path file, long fromMillis, long toMillis) {
    /** An active log of this store. */
    public static LogDescriptor hot(Entry.Kind kind, Path file) {
        return new LogDescriptor(kind, Origin.HOT, file, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** A log of another replica. */
    public static LogDescriptor peer(Entry.Kind kind, String replica, Path file) {
        return new LogDescriptor(kind, Origin.peer(replica), file, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The logs of a kind of all other replicas, read as one under a path that is no file. */
    public static LogDescriptor peers(Entry.Kind kind, Path file) {
        return new LogDescriptor(kind, Origin.PEERS, file, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The archive of a month. */
    public static LogDescriptor archive(Entry.Kind kind, YearMonth month, Path file) {
        return new LogDescriptor(kind, Origin.ARCHIVE, file, millis(month), millis(month.plusMonths(1)));
    }

    private static long millis(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    /** Whether a line of this time is expected in this log. */
    public boolean holds(long millis) {
        return millis >= fromMillis && millis < toMillis;
    }
}
