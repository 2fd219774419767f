package dev.xmem.core.answer.render;

import java.time.Duration;
import java.time.Instant;

/** Rough ages for readers. */
public final class RelativeTime {
    private static final long DAYS_PER_MONTH = 30;
    private static final long DAYS_PER_YEAR = 365;

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
            Instant next = then.plus(next(Duration.between(then, now)));
            until = next.isBefore(until) ? next : until;
            return RelativeTime.of(then, now);
        }

        Instant until() {
            return until;
        }

        /** The next age that is told in other words. */
        private static Duration next(Duration age) {
            long days = age.toDays();
            if (age.toHours() < 1) {
                return Duration.ofMinutes(Math.max(0, age.toMinutes()) + 1);
            } else if (days < 1) {
                return Duration.ofHours(age.toHours() + 1);
            } else if (days < DAYS_PER_MONTH) {
                return Duration.ofDays(days + 1);
            }
            return Duration.ofDays(
                    days < DAYS_PER_YEAR
                            ? Math.min(DAYS_PER_YEAR, (days / DAYS_PER_MONTH + 1) * DAYS_PER_MONTH)
                            : (days / DAYS_PER_YEAR + 1) * DAYS_PER_YEAR);
        }
    }

    /** Such as {@code 2 days ago}. A time in the future is {@code just now}, because clocks differ. */
    public static String of(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        long days = age.toDays();
        if (age.toMinutes() < 1) {
            return "just now";
        } else if (age.toHours() < 1) {
            return Plural.of(age.toMinutes(), "minute") + " ago";
        } else if (days < 1) {
            return Plural.of(age.toHours(), "hour") + " ago";
        } else if (days < DAYS_PER_MONTH) {
            return Plural.of(days, "day") + " ago";
        }
        return days < DAYS_PER_YEAR
                ? Plural.of(days / DAYS_PER_MONTH, "month") + " ago"
                : Plural.of(days / DAYS_PER_YEAR, "year") + " ago";
    }
}
