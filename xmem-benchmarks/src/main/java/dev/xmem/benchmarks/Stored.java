package dev.xmem.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of the corpus as it is stored.
 *
 * @param line its line, without a line end
 */
record Stored(Item item, String id, String ts, String line) {
    private static final Instant FIRST = Instant.parse("2026-01-05T08:00:00Z");
    private static final int SECONDS_BETWEEN = 37;

    /** Items stored one after the other, some two thousand a day. */
    static List<Stored> of(List<Item> items) {
        LineWriter writer = new LineWriter();
        List<Stored> stored = new ArrayList<>(items.size());
        LocalDate today = LocalDate.EPOCH;
        int number = 0;
        for (int i = 0; i < items.size(); i++) {
            Instant ts = FIRST.plusSeconds((long) SECONDS_BETWEEN * i);
            LocalDate day = LocalDate.ofInstant(ts, ZoneOffset.UTC);
            number = day.equals(today) ? number + 1 : 1;
            today = day;
            stored.add(of(items.get(i), Ids.of(day.toString(), number), ts.toString(), writer));
        }
        return stored;
    }

    static Stored of(Item item, String id, String ts, LineWriter writer) {
        writer.write(item, id, ts);
        String line = new String(writer.bytes(), 0, writer.length() - 1, StandardCharsets.UTF_8);
        return new Stored(item, id, ts, line);
    }
}
