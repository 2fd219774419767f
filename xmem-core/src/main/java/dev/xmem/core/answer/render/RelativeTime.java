package dev.xmem.core.answer.render;

import java.time.Duration;
import java.time.Instant;

/** Rough ages for readers. */
public final class RelativeTime {
    private static final String[] UNITS = {"minute", "hour", "day", "month", "year"};
    private static final long DAY = 24 * 60;
    /** The minutes of each unit. */
    private static final long[] MINUTES = {1, 60, DAY, 30 * DAY, 365 * DAY};

    private RelativeTime() {}

    /** The time from which ages are counted, and until when those that were told stay as they are. For one text. */
    static final class Ages {
        private final Instant now;
        private Instant until = Instant.MAX;

        Ages(Instant now) {
            this.now = now;
        }

        /** The age of a time. */
        String of(Instant then) {
            Instant next = then.plus(
                    Duration.ofMinutes(next(Duration.between(then, now).toMinutes())));
            until = next.isBefore(until) ? next : until;
            return RelativeTime.of(then, now);
        }

        Instant until() {
            return until;
        }

        /** The next age, in minutes, that is told in other words. */
        private static long next(long minutes) {
            long age = Math.max(0, minutes);
            int unit = unit(age);
            long next = (age / MINUTES[unit] + 1) * MINUTES[unit];
            return unit + 1 < MINUTES.length ? Math.min(next, MINUTES[unit + 1]) : next;
        }
    }

    /** Such as {@code 2 days ago}. A time in the future is {@code just now}, because clocks differ. */
    public static String of(Instant then, Instant now) {
        long age = Duration.between(then, now).toMinutes();
        int unit = unit(age);
        return age < 1 ? "just now" : Plural.of(age / MINUTES[unit], UNITS[unit]) + " ago";
    }

    /** The largest unit that an age of these minutes has. */
    private static int unit(long age) {
        int unit = MINUTES.length - 1;
        while (unit > 0 && age < MINUTES[unit]) {
            unit--;
        }
        return unit;
    }
}
