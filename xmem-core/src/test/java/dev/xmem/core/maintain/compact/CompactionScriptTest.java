package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.fixtures.Repository;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a compaction drops and what it keeps, by a script that shares no code with xmem. The compaction runs in a
 * process of 256 MiB of heap.
 */
class CompactionScriptTest {
    private static final Instant END = Instant.parse("2026-06-30T00:00:00Z");
    private static final Duration APART = Duration.ofSeconds(100);

    @TempDir
    Path folder;

    private final Random random = new Random(5);

    /** An entry that a line may repeat: its line again, with other knowledge. */
    private record Said(boolean failure, String operation, String subject, Instant at) {}

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String texts(String name, int most) {
        int count = random.nextInt(most + 1);
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + name + " " + random.nextInt(1000) + " «é😀»\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String maybe(String name, String value) {
        return random.nextInt(3) == 0 ? "" : ",\"" + name + "\":\"" + value + "\"";
    }

    private String line(Said said, int number, Instant at) {
        String day = at.toString().substring(0, 10);
        String begin = "{\"id\":\"%s-%06d\",\"ts\":\"%s\"".formatted(day, number, at);
        String common =
                ",\"tool\":\"tool%s\",\"action\":\"run\",\"tags\":%s,\"ctx_hash\":\"tool-run-%s\",\"subject\":\"%s\"%s%s"
                        .formatted(
                                said.operation,
                                texts("tag", 3),
                                said.operation,
                                said.subject,
                                maybe("session_id", "session " + random.nextInt(500)),
                                maybe("notes", "note " + number + "\\nin two lines"));
        return said.failure
                ? begin + ",\"type\":\"tool_failure\",\"error\":\"cannot " + said.subject + "\",\"tried_also\":"
                        + texts("attempt", 4) + maybe("pattern_avoid", "advice " + random.nextInt(50))
                        + (random.nextInt(20) == 0 ? ",\"block_level\":\"critical\"" : "") + common + "}"
                : begin + ",\"type\":\"tool_success\",\"pattern_name\":\"so " + said.subject + "\",\"key_steps\":"
                        + texts("step", 3) + ",\"critical_params\":{\"n\":" + random.nextInt(3)
                        + "},\"usage_count\":1" + common + "}";
    }

    /** Writes n lines to two logs: three in ten repeat a line of the days before, some are malformed, some are old. */
    private Path logs(int lines) throws IOException {
        Path data = Files.createDirectories(folder.resolve("before"));
        List<Said> all = new ArrayList<>(lines);
        try (BufferedWriter failures = Files.newBufferedWriter(data.resolve("failures.jsonl"));
                BufferedWriter successes = Files.newBufferedWriter(data.resolve("successes.jsonl"))) {
            for (int i = 0; i < lines; i++) {
                Instant at = END.minus(APART.multipliedBy(lines - i));
                Said before = all.isEmpty() ? null : all.get(Math.max(0, i - 1 - random.nextInt(4000)));
                boolean again = before != null && random.nextInt(10) < 3;
                Said said = again
                        ? new Said(before.failure, before.operation, before.subject, at)
                        : new Said(random.nextInt(5) > 0, String.valueOf(random.nextInt(40)), "thing-" + i, at);
                all.add(said);
                (said.failure ? failures : successes).write(line(said, i, at) + "\n");
                if (random.nextInt(1000) == 0) {
                    failures.write("{\"id\":\"torn " + i + "\n");
                }
            }
        }
        return data;
    }

    private Path store() {
        return folder.resolve("store");
    }

    /** How many lines a compaction removed. */
    private String compact(Path before) throws Exception {
        Files.createDirectories(store().resolve("data"));
        for (String log : List.of("failures.jsonl", "successes.jsonl")) {
            Files.copy(before.resolve(log), store().resolve("data").resolve(log));
        }
        Path removed = folder.resolve("removed");
        try (Jvm jvm = Jvm.start(folder, List.of(), CompactingOnce.class, store(), END, removed)) {
            jvm.succeeds();
        }
        return Files.readString(removed);
    }

    /** What the script says, and in its first line how it ended. */
    private String script(Path before) throws Exception {
        Path script = Repository.root().resolve("xmem-core/src/test/scripts/compacted.py");
        Path output = folder.resolve("output");
        Process python = new ProcessBuilder("python3", script.toString(), before.toString(), store().toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(python.waitFor(10, TimeUnit.MINUTES)).isTrue();
        return python.exitValue() + "\n" + Files.readString(output);
    }

    private void assertKept(int lines) throws Exception {
        assumeTrue(hasPython(), "there is no python3, which the script needs");
        Path before = logs(lines);
        String removed = compact(before);
        String said = script(before);
        assertThat(said).startsWith("0\n");
        int dropped = Integer.parseInt(said.replaceAll("(?s).*entries before; (\\d+) are part.*", "$1"));
        assertThat(dropped).as(said).isGreaterThan(lines / 5);
        System.out.printf(
                "reliability: compaction of %,d lines in 256 MiB of heap, %s lines removed; a script: %s",
                lines, removed, said.substring(2));
    }

    /** The script notices: else that it finds nothing would say nothing. */
    @Test
    void script_knowledgeOrLineTakenOut_isFound() throws Exception {
        assumeTrue(hasPython(), "there is no python3, which the script needs");
        Path before = logs(500);
        compact(before);
        assertThat(script(before)).startsWith("0\n");
        Path live = store().resolve("data/failures.jsonl");
        String text = Files.readString(live);
        String line = text.lines()
                        .filter(each -> each.contains("\"covers\":"))
                        .max(Comparator.comparing(String::length))
                        .orElseThrow()
                + "\n";
        for (String field : List.of("tags", "tried_also", "sessions", "notes")) {
            String without = line.replace("\"" + field + "\":", "\"x_" + field + "\":");
            Files.writeString(live, text.replace(line, without));
            assertThat(script(before)).as("without " + field).startsWith("1\n").contains("is not in");
        }
        Files.writeString(live, text.replace(line, ""));
        assertThat(script(before)).startsWith("1\n").contains("is gone");
        Files.writeString(live, text);
        try (Stream<Path> files = Files.walk(store().resolve("data/backup"))) {
            Path backup = files.filter(file -> file.endsWith("failures.jsonl"))
                    .findFirst()
                    .orElseThrow();
            String all = Files.readString(backup);
            Files.writeString(backup, all.substring(all.indexOf('\n') + 1));
        }
        assertThat(script(before)).startsWith("1\n").contains("not in the backup");
    }

    @Test
    void compact_5000Entries_scriptFindsNothingMissing() throws Exception {
        assertKept(5_000);
    }

    @Test
    @Tag("soak")
    void compact_100000Entries_scriptFindsNothingMissing() throws Exception {
        assertKept(100_000);
    }
}
