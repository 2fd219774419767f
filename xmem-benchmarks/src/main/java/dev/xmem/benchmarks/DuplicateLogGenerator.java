package dev.xmem.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** Generates a log of failures in which some lines repeat another line within a week. Deterministic. */
final class DuplicateLogGenerator {
    private static final Duration SPREAD = Duration.ofDays(6);

    private DuplicateLogGenerator() {}

    /**
     * Writes the log of a new store. The timestamp of the newest line is just before {@code now}.
     *
     * @param inTen how many of ten lines are duplicates
     */
    static void write(Path directory, int entries, int inTen, Instant now) throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        SplittableRandom random = new SplittableRandom(42);
        int families = Math.max(1, entries - (int) (entries * (long) inTen / 10));
        try (BufferedWriter out = Files.newBufferedWriter(data.resolve("failures.jsonl"))) {
            for (int i = 0; i < entries; i++) {
                int family = i < families ? i : random.nextInt(families);
                Instant ts = now.minus(SPREAD).plusMillis(SPREAD.toMillis() / entries * i);
                out.write(line(i, family, ts));
            }
        }
    }

    private static String line(int i, int family, Instant ts) {
        String day = ts.toString().substring(0, 10);
        return "{\"id\":\"%s-%03d\",\"ts\":\"%s\",\"type\":\"tool_failure\",\"tool\":\"tool%d\",\"action\":\"run step %d\","
                        .formatted(day, i + 1, ts, family % 50, family)
                + "\"error\":\"error of family %d: the thing was not found where it was looked for, in /some/path/%d\","
                        .formatted(family, family)
                + "\"exit_code\":1,\"pattern_avoid\":\"advice %d\",\"tried_also\":[\"attempt %d\",\"attempt of %d\"],"
                        .formatted(i % 7, i, family)
                + "\"block_level\":\"warning\",\"tags\":[\"tag%d\",\"tag%d\"],\"ctx_hash\":\"tool%d-run-family-%d\","
                        .formatted(i % 11, family % 13, family % 50, family)
                + "\"subject\":\"subject %d\",\"session_id\":\"session %d\",\"notes\":\"note %d\"}%n"
                        .formatted(family % 5, i % 997, i);
    }
}
