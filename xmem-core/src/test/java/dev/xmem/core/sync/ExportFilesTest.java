package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemStore;
import dev.xmem.core.ExportFiles;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exported files of a store: a function of the lines, also after a merge by hand. */
class ExportFilesTest {
    private static final byte[] NONE = new byte[0];

    @TempDir
    Path folder;

    private Path store() throws IOException {
        Path dir = folder.resolve("store");
        try (XMemStore store = XMem.open(dir)) {
            store.recordFailure(Failure.of("git", "push", "rejected").tags("net"));
            store.recordFailure(Failure.of("npm", "install", "ETIMEDOUT").tags("net", "proxy"));
            store.recordSuccess(Success.of("git", "Atomic commit"));
            store.remember(Directive.rule(new Directive.Triple("builds", "are", "heavy")));
            store.writeNote(Note.of("note", "über"));
        }
        return dir;
    }

    private static Map<String, String> texts(ExportFiles files) {
        return files.files().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, file -> new String(file.getValue(), StandardCharsets.UTF_8)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void of_aStoreOfItsOwn_itsVeryFiles() throws IOException {
        Path dir = store();
        ExportFiles files = ExportFiles.of(dir, Map.of(), Map.of(), NONE);
        Map<String, String> texts = texts(files);
        assertThat(texts.keySet())
                .containsExactlyInAnyOrder(
                        "failures.jsonl", "successes.jsonl", "memories.ndjson", "notes.jsonl", "index.json");
        for (Map.Entry<String, String> file : texts.entrySet()) {
            assertThat(Files.readString(dir.resolve("data").resolve(file.getKey())))
                    .as(file.getKey())
                    .isEqualTo(file.getValue());
        }
        assertThat(files.message()).isEqualTo("X-MEM: Record 5 entries");
        assertThat(ExportFiles.of(dir, files.files(), Map.of(), files.contribution())
                        .message())
                .isEqualTo("X-MEM: Rewrite index");
    }

    /** Any order, duplicates, blank lines, carriage returns and conflict markers give the same bytes. */
    @Test
    void of_whatMergesByHandLeave_theSameBytes() throws IOException {
        Path dir = store();
        ExportFiles files = ExportFiles.of(dir, Map.of(), Map.of(), NONE);
        Path empty = folder.resolve("empty");
        XMem.open(empty).close();
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<String> lines =
                    new ArrayList<>(texts(files).get("failures.jsonl").lines().toList());
            lines.addAll(lines);
            lines.addAll(List.of("<<<<<<< HEAD", "=======", ">>>>>>> other branch", "||||||| base", "", "  "));
            Collections.shuffle(lines, random);
            Map<String, byte[]> there = new java.util.HashMap<>(files.files());
            there.put("failures.jsonl", utf8(String.join(random.nextBoolean() ? "\r\n" : "\n", lines)));
            there.put("index.json", utf8("<<<<<<< HEAD\n{}\n=======\n{\n>>>>>>> x\n"));
            assertThat(texts(ExportFiles.of(empty, there, Map.of(), NONE))).isEqualTo(texts(files));
        }
    }

    @Test
    void of_linesOfOthers_stayAndOwnOnesThatWereErasedGo() throws IOException {
        Path dir = store();
        byte[] theirs = utf8(
                "{\"id\":\"2020-01-01-001\",\"ts\":\"2020-01-01T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"y\"}\n"
                        + "torn {\n");
        ExportFiles first = ExportFiles.of(dir, Map.of("failures.jsonl", theirs), Map.of(), NONE);
        assertThat(texts(first).get("failures.jsonl").lines().toList())
                .hasSize(4)
                .startsWith(new String(theirs, StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .endsWith("torn {");
        try (XMemStore store = XMem.open(dir)) {
            store.purge(Set.of(store.search(Query.all().tool("npm"))
                    .matches()
                    .get(0)
                    .entry()
                    .id()));
        }
        ExportFiles next = ExportFiles.of(dir, first.files(), Map.of(), first.contribution());
        assertThat(texts(next).get("failures.jsonl"))
                .doesNotContain("ETIMEDOUT")
                .contains("rejected", "2020-01-01", "torn {");
        assertThat(next.message()).isEqualTo("X-MEM: Rewrite failures");
        assertThat(texts(next).get("index.json")).contains("\"failures\" : 2");
    }

    /** A clone that a user merged by hand, opened as a store. */
    @Test
    void open_aWorkTreeMergedByHand_everyLineOnceAndTheIndexWrittenAgain() throws IOException {
        Path dir = store();
        Path clone = folder.resolve("clone");
        Path data = Files.createDirectories(clone.resolve("data"));
        String failures = Files.readString(dir.resolve("data/failures.jsonl"));
        List<String> lines = failures.lines().toList();
        Files.writeString(
                data.resolve("failures.jsonl"),
                "<<<<<<< HEAD\n" + lines.get(1) + "\n=======\n" + lines.get(0) + "\n" + lines.get(1)
                        + "\n>>>>>>> origin/main\n"
                        + lines.get(0).replace("rejected", "another machine's, with the same id") + "\n");
        Files.copy(dir.resolve("data/successes.jsonl"), data.resolve("successes.jsonl"));
        Files.writeString(data.resolve("index.json"), "<<<<<<< HEAD\n{}\n=======\n[\n>>>>>>> origin/main\n");
        try (XMemStore store = XMem.open(clone)) {
            assertThat(store.stats().failures()).isEqualTo(3);
            assertThat(store.search(Query.all().tool("npm")).total()).isEqualTo(1);
            assertThat(store.search(Query.all().tool("git").kind(dev.xmem.Entry.Kind.FAILURE))
                            .matches())
                    .allMatch(match -> match.entry().id().contains("~"));
            store.recordFailure(Failure.of("tar", "x", "boo"));
        }
        assertThat(Files.readString(data.resolve("index.json")))
                .contains("\"failures\" : 4")
                .doesNotContain("<<<");
        assertThat(Files.readString(data.resolve("failures.jsonl"))).startsWith("<<<<<<< HEAD\n");
    }
}
