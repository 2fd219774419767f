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

    private static final Instant END = Instant.ofEpochSecond(253_402_300_800L); // the start of 10000;

    private Timestamps() {}

    /** Parses a time to milliseconds since 1970; -1 if it is not a time, before 1970, or after the year 9999. */
    static long millis(String ts) {
        if (isPunctuated(ts)) {
            int year = number(ts, 0, 4);
            int month = number(ts, 5, 7);
            int day = number(ts, 8, 10);
            int hour = number(ts, 11, 13);
            int minute = number(ts, 14, 16);
            int second = number(ts, 17, 19);
            int nano = ts.length() == SECONDS_CHARS ? 0 : nano(ts);
            boolean digits = (year | month | day | hour | minute | second | nano) >= 0;
            if (digits && hour < 24 && minute < 60 && second < 60) {
                long days = day(year, month, day);
                long seconds = (days * 24 + hour) * 3600L + minute * 60L + second;
                return days < 0 ? -1 : seconds * 1000 + nano / 1_000_000;
            }
        }
        return parsed(ts);
    }

    /** Whether a text has the form of a UTC time with up to nine fraction digits, besides the digits. */
    private static boolean isPunctuated(String ts) {
        int length = ts.length();
        return length >= SECONDS_CHARS
                && length <= SECONDS_CHARS + 1 + FRACTION_DIGITS
                && ts.charAt(length - 1) == 'Z'
                && (length == SECONDS_CHARS || length > SECONDS_CHARS + 1 && ts.charAt(19) == '.')
                && ts.charAt(4) == '-'
                && ts.charAt(7) == '-'
                && ts.charAt(10) == 'T'
                && ts.charAt(13) == ':'
                && ts.charAt(16) == ':';
    }

    /** The fraction in nanoseconds; negative if it has anything but digits. */
    private static int nano(String ts) {
        int nano = number(ts, SECONDS_CHARS, ts.length() - 1);
        for (int i = ts.length() - 1 - SECONDS_CHARS; nano > 0 && i < FRACTION_DIGITS; i++) {
            nano *= 10;
        }
        return nano;
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

    private static long day(int year, int month, int day) {
        try {
            return LocalDate.of(year, month, day).toEpochDay();
        } catch (DateTimeException e) {
            return -1;
        }
    }

    /** At most nine digits as a number; -1 if there is anything else. */
    private static int number(String ts, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = ts.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
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
