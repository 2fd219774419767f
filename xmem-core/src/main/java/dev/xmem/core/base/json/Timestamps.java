package dev.xmem.core.base.json;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;

/**
 * Converts ISO 8601 times to milliseconds and back. The written form {@code 2026-02-14T16:30:00[.250]Z}, also with
 * another number of fraction digits, is converted without {@link java.time.format.DateTimeFormatter}, which is slow to
 * load.
 */
final class Timestamps {
    private static final int SECONDS_CHARS = 20;
    private static final int MILLIS_CHARS = 24;
    private static final int FRACTION_DIGITS = 9;
    private static final int LONGEST = 40;
    private static final int DAY_MILLIS = 86_400_000;
    private static final int LAST_PLAIN_YEAR = 9999;

    private static final Instant END = Instant.ofEpochSecond(253_402_300_800L); // the begin of 10000;

    private Timestamps() {}

    /** Parses a time to milliseconds since 1970; -1 if it is not a time, before 1970, or after the year 9999. */
    static long millis(String ts) {
        if (isPlain(ts)) {
            int hour = number(ts, 11, 13);
            int minute = number(ts, 14, 16);
            int second = number(ts, 17, 19);
            if (hour < 24 && minute < 60 && second < 60) {
                long day = day(ts);
                return day < 0 ? -1 : ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000L + milli(ts);
            }
        }
        return parsed(ts);
    }

    /** Whether a text has the form of a UTC time with up to nine fraction digits. */
    private static boolean isPlain(String ts) {
        int length = ts.length();
        if (length < SECONDS_CHARS
                || length == SECONDS_CHARS + 1
                || length > SECONDS_CHARS + 1 + FRACTION_DIGITS
                || ts.charAt(length - 1) != 'Z') {
            return false;
        }
        for (int i = 0; i < length - 1; i++) {
            char c = ts.charAt(i);
            boolean fits = switch (i) {
                case 4, 7 -> c == '-';
                case 10 -> c == 'T';
                case 13, 16 -> c == ':';
                case 19 -> c == '.';
                default -> c >= '0' && c <= '9';
            };
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static int milli(String ts) {
        int digits = Math.min(3, Math.max(0, ts.length() - SECONDS_CHARS - 1));
        int milli = digits == 0 ? 0 : number(ts, SECONDS_CHARS, SECONDS_CHARS + digits);
        for (int i = digits; i < 3; i++) {
            milli *= 10;
        }
        return milli;
    }

    /** Formats a time like {@link Instant#toString}. */
    static String text(long millis) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(millis, DAY_MILLIS));
        if (date.getYear() < 0 || date.getYear() > LAST_PLAIN_YEAR) {
            return Instant.ofEpochMilli(millis).toString();
        }
        int time = Math.floorMod(millis, DAY_MILLIS);
        int milli = time % 1000;
        byte[] text = new byte[milli == 0 ? SECONDS_CHARS : MILLIS_CHARS];
        put(text, 0, 4, date.getYear(), '-');
        put(text, 5, 2, date.getMonthValue(), '-');
        put(text, 8, 2, date.getDayOfMonth(), 'T');
        put(text, 11, 2, time / 3_600_000, ':');
        put(text, 14, 2, time / 60_000 % 60, ':');
        put(text, 17, 2, time / 1000 % 60, milli == 0 ? 'Z' : '.');
        if (milli != 0) {
            put(text, 20, 3, milli, 'Z');
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void put(byte[] text, int at, int digits, int number, char then) {
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        text[at + digits] = (byte) then;
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
            return time.isBefore(Instant.EPOCH) || !time.isBefore(END) ? -1 : time.toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            return -1;
        }
    }
}
