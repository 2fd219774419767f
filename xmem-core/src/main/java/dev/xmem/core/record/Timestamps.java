package dev.xmem.core.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;

/** ISO 8601 times as milliseconds: the form that is written, {@code 2026-02-14T16:30:00[.250]Z}, without a parser. */
final class Timestamps {
    private static final int SECONDS_CHARS = 20;
    private static final int MILLIS_CHARS = 24;
    private static final int LONGEST = 40;

    private Timestamps() {}

    /** The time that a text stands for, in milliseconds since 1970; -1 if it is none or before. */
    static long millis(String ts) {
        int length = ts.length();
        if ((length == SECONDS_CHARS || length == MILLIS_CHARS) && isPlain(ts)) {
            int hour = number(ts, 11, 13);
            int minute = number(ts, 14, 16);
            int second = number(ts, 17, 19);
            int milli = length == MILLIS_CHARS ? number(ts, 20, 23) : 0;
            if (hour < 24 && minute < 60 && second < 60) {
                long day = day(ts);
                return day < 0 ? -1 : ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000L + milli;
            }
        }
        return parsed(ts);
    }

    private static boolean isPlain(String ts) {
        for (int i = 0; i < ts.length(); i++) {
            char c = ts.charAt(i);
            boolean fits = switch (i) {
                case 4, 7 -> c == '-';
                case 10 -> c == 'T';
                case 13, 16 -> c == ':';
                case 19 -> c == (ts.length() == SECONDS_CHARS ? 'Z' : '.');
                case 23 -> c == 'Z';
                default -> c >= '0' && c <= '9';
            };
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static long day(String ts) {
        try {
            return LocalDate.of(number(ts, 0, 4), number(ts, 5, 7), number(ts, 8, 10))
                    .toEpochDay();
        } catch (DateTimeException e) {
            return -1;
        }
    }

    private static int number(String ts, int from, int to) {
        return Integer.parseInt(ts, from, to, 10);
    }

    private static long parsed(String ts) {
        if (ts.length() < 10 || ts.length() > LONGEST) {
            return -1;
        }
        try {
            Instant time = ts.endsWith("Z")
                    ? Instant.parse(ts)
                    : OffsetDateTime.parse(ts).toInstant();
            return Math.max(-1, time.toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            return -1;
        }
    }
}
