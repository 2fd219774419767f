package dev.xmem.core.answer.render;

import java.time.Duration;
import java.time.Instant;

/** Rough ages for readers. */
public final class RelativeTime {
    private static final long DAYS_PER_MONTH = 30;
    private static final long DAYS_PER_YEAR = 365;

    private RelativeTime() {}

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
