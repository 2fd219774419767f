package dev.xmem.core.base.config;

import dev.xmem.Entry;
import java.nio.file.Path;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * A log that a store reads.
 *
 * @param kind what its lines are, unless they say otherwise
 * @param origin whose they are, and how near
 * @param file where it is
 * @param fromMillis the earliest time that its lines should have
 * @param toMillis the time that all of them should be before
 */
public record LogDescriptor(Entry.Kind kind, Origin origin, Path file, long fromMillis, long toMillis) {
    /** One of the logs that are appended to. */
    public static LogDescriptor hot(Entry.Kind kind, Path file) {
        return new LogDescriptor(kind, Origin.HOT, file, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** What a replica published of a kind. */
    public static LogDescriptor peer(Entry.Kind kind, String replica, Path file) {
        return new LogDescriptor(kind, Origin.peer(replica), file, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** One's own older lines of a month. */
    public static LogDescriptor archive(Entry.Kind kind, YearMonth month, Path file) {
        return new LogDescriptor(kind, Origin.ARCHIVE, file, millis(month), millis(month.plusMonths(1)));
    }

    private static long millis(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    /** Whether a line of this time should stand here. */
    public boolean holds(long millis) {
        return millis >= fromMillis && millis < toMillis;
    }
}
