package dev.xmem.benchmarks;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Generates ids and a fixed timestamp for the peers at negligible cost. Ids count from 1; the timestamp is the time
 * of construction.
 */
final class IdGenerator {
    private static final int DATE_CHARS = 10;

    private final String day;
    private final String ts;
    private int number;

    IdGenerator(InstantSource clock) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        this.ts = now.toString();
        this.day = ts.substring(0, DATE_CHARS);
    }

    String next() {
        return of(day, ++number);
    }

    String ts() {
        return ts;
    }

    static String of(String day, int number) {
        return day + (number < 10 ? "-00" : number < 100 ? "-0" : "-") + number;
    }
}
