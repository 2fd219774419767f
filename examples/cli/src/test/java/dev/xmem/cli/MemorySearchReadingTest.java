package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares {@code xmem memory-search} with two other implementations for 200 random queries: a plain Java one, and jq.
 */
class MemorySearchReadingTest {
    private static final int QUERIES = 200;
    private static final int LINES = 240;
    private static final String JQ = """
            [inputs | {line: ., texts: (try (fromjson | select(type == "object")
                | [.content, .type, .tags, .meta | .. | strings]) catch empty)}] | reverse | . as $journal
            | $queries[] as $q | [$journal[] | select(any(.texts[];
                if $q.regex then test($q.text) else . as $s | $s | index($q.text) != null end)) | .line]
            """;

    @TempDir
    Path folder;

    private final JournalLines random = new JournalLines(20_260_214);
    private Path journal;
    private Environment environment;
    private List<String> lines;

    @BeforeEach
    void write() throws IOException {
        journal = Files.writeString(folder.resolve("m.jsonl"), random.journal(LINES));
        environment = new Environment(Map.of("MEMORY_FILE", journal.toString()), folder, folder, false);
        lines = new ArrayList<>(
                List.of(Files.readString(journal).split("\n", -1)).subList(0, LINES));
        Collections.reverse(lines);
    }

    @Test
    void search_allModes_equalPlainImplementation() {
        for (int i = 0; i < QUERIES; i++) {
            String q = random.query();
            int limit = random.number(i % 4 == 0 ? 200 : 20);
            int window = random.number(i % 3 == 0 ? 2000 : 60);
            String expected = plainly(q, limit, window);
            for (String mode : List.of("rg", "jq", "hybrid")) {
                assertThat(searched(q, limit, window, mode)).as(q + " " + mode).isEqualTo(expected);
            }
        }
    }

    @Test
    void search_equalsJq() throws Exception {
        assumeTrue(hasJq(), "jq is not on the path");
        List<String> queries = new ArrayList<>();
        while (queries.size() < QUERIES) {
            String q = random.query();
            boolean slashes = q.length() > 1 && q.startsWith("/") && q.endsWith("/");
            if (!slashes || JournalLines.expression(q.substring(1, q.length() - 1)) != null) {
                queries.add(q);
            }
        }

        List<String> expected = jq(queries);

        assertThat(expected).hasSize(QUERIES);
        for (int i = 0; i < QUERIES; i++) {
            List<String> found = new ArrayList<>();
            String out = searched(
                    queries.get(i), 200, 50_000, List.of("rg", "jq", "hybrid").get(i % 3));
            assertThat(out).as(queries.get(i)).startsWith("{\"results\":[" + firstOf(expected.get(i), found) + "],");
            assertThat(out).contains("\"truncated\":" + (found.size() > 200));
        }
    }

    /** The first 200 lines of the output of jq, as one array. */
    private static String firstOf(String answer, List<String> found) {
        try {
            JsonText.read("{\"lines\":" + answer + "}", (name, p) -> found.addAll(JsonText.strings(name, p)));
        } catch (LineException e) {
            throw new AssertionError(answer, e);
        }
        return found.stream().limit(200).map(String::strip).collect(Collectors.joining(","));
    }

    private String plainly(String q, int limit, int firstWindow) {
        List<String> results = lines.stream()
                .filter(line -> JournalLines.matches(line, q))
                .map(String::strip)
                .toList();
        int window = firstWindow;
        while (window < LINES && matchesAmongNewest(window, q) < limit) {
            window *= 4;
        }
        return "{\"results\":[" + results.stream().limit(limit).collect(Collectors.joining(",")) + "],\"truncated\":"
                + (results.size() > limit) + ",\"used_window_lines\":" + window + "}\n";
    }

    private long matchesAmongNewest(int window, String q) {
        return lines.stream()
                .limit(window)
                .filter(line -> JournalLines.matches(line, q))
                .count();
    }

    private String searched(String q, int limit, int window, String mode) {
        String input = "{\"q\":" + JsonText.quoted(q) + ",\"limit\":" + limit + ",\"window_lines\":" + window
                + ",\"mode\":\"" + mode + "\"}";
        return Xmem.in(environment, input, "memory-search").out();
    }

    private List<String> jq(List<String> queries) throws Exception {
        String all = queries.stream()
                .map(q -> {
                    boolean regex = q.length() > 1 && q.startsWith("/") && q.endsWith("/");
                    String text = regex ? q.substring(1, q.length() - 1) : q;
                    return "{\"regex\":" + regex + ",\"text\":" + JsonText.quoted(text) + "}";
                })
                .collect(Collectors.joining(",", "[", "]"));
        Path answers = folder.resolve("answers");
        Process jq = new ProcessBuilder("jq", "-Rnc", "--argjson", "queries", all, JQ, journal.toString())
                .redirectOutput(answers.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(jq.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(jq.exitValue()).isZero();
        return Files.readAllLines(answers);
    }

    static boolean hasJq() throws InterruptedException {
        try {
            Process jq = new ProcessBuilder("jq", "--version")
                    .redirectErrorStream(true)
                    .start();
            jq.getInputStream().readAllBytes();
            return jq.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
