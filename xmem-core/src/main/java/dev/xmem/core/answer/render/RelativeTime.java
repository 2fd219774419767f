package dev.xmem.core.answer.render;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, roughly, for a reader. */
public final class RelativeTime {
    private static final long DAYS_A_MONTH = 30;
    private static final long DAYS_A_YEAR = 365;

    private RelativeTime() {}

    /** Such as {@code 2 days ago}; what seems to lie ahead is {@code just now}, clocks differ. */
    public static String of(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        if (age.toMinutes() < 1) {
            return "just now";
        } else if (age.toHours() < 1) {
            return Plural.of(age.toMinutes(), "minute", "minutes") + " ago";
        } else if (age.toDays() < 1) {
            return Plural.of(age.toHours(), "hour", "hours") + " ago";
        }
        return days(age.toDays()) + " ago";
    }

    private static String days(long days) {
        if (days < DAYS_A_MONTH) {
            return Plural.of(days, "day", "days");
        } else if (days < DAYS_A_YEAR) {
            return Plural.of(days / DAYS_A_MONTH, "month", "months");
        }
        return Plural.of(days / DAYS_A_YEAR, "year", "years");
    }
}
