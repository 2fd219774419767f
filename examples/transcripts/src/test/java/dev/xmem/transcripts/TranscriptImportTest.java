package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an import records of the fixtures, whose truth is known. */
class TranscriptImportTest {
    @TempDir
    Path folder;

    private Path directory() {
        return folder.resolve("store");
    }

    private static List<TranscriptFile> find(Path path) {
        return Transcripts.find(List.of(path), null, (file, reason) -> {});
    }

    private ImportReport run(List<TranscriptFile> files) throws IOException {
        try (XMemStore store = XMem.open(directory())) {
            return TranscriptImport.run(store, directory(), files, null, count -> {});
        }
    }

    private static List<String> recorded(XMemStore store, Entry.Kind kind) {
        List<String> lines = new ArrayList<>();
        Query query = Query.all().kind(kind).order(Query.Order.NEWEST).limit(70);
        for (Match match : store.search(query).matches()) {
            lines.add(0, match.entry().json());
        }
        return lines;
    }

    /** All bytes of the data of a store. */
    private Map<String, String> bytes() throws IOException {
        Map<String, String> bytes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = directory().relativize(file).toString();
                if (name.startsWith("data") || name.contains("imports.jsonl")) {
                    bytes.put(name, Files.readString(file));
                }
            }
        }
        return bytes;
    }

    @Test
    void claude_failuresRepeatsAndRetryPairs_areRecorded() throws IOException {
        ImportReport report = run(find(Fixtures.folder("claude")));

        assertThat(report.text()).isEqualTo("5 failures in 4 families, 1 repeat in a session");
        assertThat(report.recorded()).isEqualTo(4);
        assertThat(report.lessons()).isEqualTo(1);
        assertThat(report.sessions()).isEqualTo(2);
        assertThat(report.counts().refused()).isEqualTo(4);
        assertThat(report.counts().skipped()).isEqualTo(3);
        try (XMemStore store = XMem.open(directory())) {
            Success fix = (Success) store.search(Query.all().kind(Entry.Kind.SUCCESS))
                    .matches()
                    .get(0)
                    .entry();
            Failure failure = (Failure) store.find(fix.answers().get(0)).orElseThrow();
            assertThat(fix.keySteps()).containsExactly("pip install pyyaml", "python3 tools/check.py");
            assertThat(fix.ts()).isEqualTo(Instant.parse("2026-03-01T09:00:42Z"));
            assertThat(failure.ts()).isEqualTo(Instant.parse("2026-03-01T09:00:22Z"));
            assertThat(failure.sessionId()).isEqualTo("s-1");
            assertThat(failure.json())
                    .contains("\"first_ts\":\"2026-03-01T09:00:07Z\"", "\"occurrences\":2", "\"cwd\":\"/work/shop\"");
        }
    }

    @Test
    void import_again_writesNothing() throws IOException {
        run(find(Fixtures.folder("claude").getParent()));
        Map<String, String> before = bytes();

        ImportReport again = run(find(Fixtures.folder("claude").getParent()));

        assertThat(again.files()).isZero();
        assertThat(again.recorded() + again.lessons()).isZero();
        assertThat(bytes()).isEqualTo(before);
    }

    /** The log of imports is this machine's; without it, the store itself shows what is known. */
    @Test
    void import_againWithoutItsLog_recordsNothing() throws IOException {
        run(find(Fixtures.folder("codex").getParent()));
        Files.delete(directory().resolve(".xmem/imports.jsonl"));

        ImportReport again = run(find(Fixtures.folder("codex").getParent()));

        assertThat(again.failures()).isEqualTo(29);
        assertThat(again.known()).isEqualTo(29);
        assertThat(again.recorded() + again.lessons()).isZero();
    }

    @Test
    void import_copyOfATranscript_recordsNothing() throws IOException {
        Path file = Fixtures.files("codex").get(1);
        run(find(file));
        Path copy = Files.copy(file, folder.resolve("rollout-copy.jsonl"));

        ImportReport again = run(find(copy));

        assertThat(again.known()).isEqualTo(4);
        assertThat(again.recorded() + again.lessons()).isZero();
    }

    private static long occurrences(XMemStore store) {
        return recorded(store, Entry.Kind.FAILURE).stream()
                .map(line -> line.replaceFirst(".*\"occurrences\":(\\d+).*", "$1"))
                .mapToLong(count -> count.startsWith("{") ? 1 : Long.parseLong(count))
                .sum();
    }

    /** Cut anywhere, the second import records the rest: no failure is lost and none is counted twice. */
    @Test
    void import_ofAGrownFile_recordsWhatIsNew() throws IOException {
        byte[] whole = Files.readAllBytes(Fixtures.files("claude").get(0));
        Path file = folder.resolve("s-1.jsonl");
        Path store = directory();
        for (int cut = 400; cut < whole.length; cut += 331) {
            Files.write(file, Arrays.copyOf(whole, cut));
            ImportReport first = run(find(file));
            Files.write(file, Arrays.copyOfRange(whole, cut, whole.length), StandardOpenOption.APPEND);
            ImportReport second = run(find(file));

            assertThat(first.recorded() + second.recorded()).as("cut at " + cut).isBetween(2L, 3L);
            assertThat(second.failures()).as("cut at " + cut).isEqualTo(3);
            assertThat(first.lessons() + second.lessons()).as("cut at " + cut).isEqualTo(1);
            try (XMemStore open = XMem.open(store)) {
                assertThat(occurrences(open)).as("cut at " + cut).isEqualTo(3);
                Success fix = (Success) open.search(Query.all().kind(Entry.Kind.SUCCESS))
                        .matches()
                        .get(0)
                        .entry();
                assertThat(open.find(fix.answers().get(0))).isPresent();
            }
            delete(store);
        }
    }

    /** A repeat within the hour of a line that an earlier import wrote is counted in a line of its own. */
    @Test
    void import_ofAGrownFile_countsTheRepeatsWithinTheHour() throws IOException {
        Path file = folder.resolve("s.jsonl");
        for (int i = 1; i <= 6; i++) {
            String minute = "2026-03-01T09:0" + i;
            Files.writeString(file, """
                    {"type":"assistant","sessionId":"x","timestamp":"%1$s:00Z","message":{"content":[{"type":"tool_use","id":"t%2$d","name":"Bash","input":{"command":"git push"}}]}}
                    {"type":"user","sessionId":"x","timestamp":"%1$s:01Z","message":{"content":[{"type":"tool_result","tool_use_id":"t%2$d","is_error":true,"content":"Exit code 128\\nfatal: The current branch main has no upstream branch."}]}}
                    """.formatted(minute, i), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (i % 3 != 1) {
                ImportReport report = run(find(file));
                assertThat(report.recorded()).isEqualTo(1);
            }
        }
        assertThat(run(find(file)).recorded()).isZero();

        try (XMemStore store = XMem.open(directory())) {
            assertThat(recorded(store, Entry.Kind.FAILURE))
                    .hasSize(4)
                    .satisfiesExactly(
                            line -> assertThat(line).contains("\"occurrences\":2"),
                            line -> assertThat(line).doesNotContain("occurrences"),
                            line -> assertThat(line).contains("\"occurrences\":2"),
                            line -> assertThat(line).doesNotContain("occurrences"));
        }
    }

    /** The context hash of these failures tells no operation. */
    @Test
    void import_twoOperationsThatFailedInASession_areTwoFailuresAndTheFixIsOfOne() throws IOException {
        String first = "virsh list --all";
        String second = "virsh start web";
        Path file = folder.resolve("s.jsonl");
        String error = "\"is_error\":true,\"content\":\"Exit code 1\\nerror: failed to connect to the hypervisor\\n"
                + "error: Failed to connect socket to '/var/run/libvirt/libvirt-sock': No such file or directory\"";
        List<String> commands = List.of(first, second, second + " --connect admin");
        for (int i = 1; i <= commands.size(); i++) {
            Files.writeString(
                    file,
                    """
                    {"type":"assistant","sessionId":"x","timestamp":"2026-03-01T09:0%1$d:00Z","message":{"content":[{"type":"tool_use","id":"t%1$d","name":"Bash","input":{"command":"%2$s"}}]}}
                    {"type":"user","sessionId":"x","timestamp":"2026-03-01T09:0%1$d:01Z","message":{"content":[{"type":"tool_result","tool_use_id":"t%1$d",%3$s}]}}
                    """.formatted(i, commands.get(i - 1), i < 3 ? error : "\"content\":\"Domain web started\""),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        run(find(file));

        try (XMemStore store = XMem.open(directory())) {
            assertThat(recorded(store, Entry.Kind.FAILURE))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("list --all").doesNotContain("occurrences"),
                            line -> assertThat(line).contains("start web").doesNotContain("occurrences"));
            assertThat(recorded(store, Entry.Kind.SUCCESS)).hasSize(1);
            Success fix = (Success) store.search(Query.all().kind(Entry.Kind.SUCCESS))
                    .matches()
                    .get(0)
                    .entry();
            assertThat(fix.answers()).hasSize(1);
            assertThat(store.find(fix.answers().get(0)).orElseThrow().json()).contains("start web");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void import_ofWhatAHookRecorded_recordsItNotAgain() throws IOException {
        try (XMemStore store = XMem.builder(directory())
                .clock(() -> Instant.parse("2026-03-01T09:00:08Z"))
                .open()) {
            ToolCall call = ToolCall.shell("python3 tools/check.py").session("s-1");
            store.guard().failed(call, ToolError.exit(1, "ModuleNotFoundError: No module named 'yaml'"));
        }

        ImportReport report = run(find(Fixtures.files("claude").get(0)));

        assertThat(report.known()).isEqualTo(2);
        assertThat(report.recorded()).isEqualTo(1);
        try (XMemStore store = XMem.open(directory())) {
            assertThat(recorded(store, Entry.Kind.FAILURE)).hasSize(2);
            Success fix = (Success) store.search(Query.all().kind(Entry.Kind.SUCCESS))
                    .matches()
                    .get(0)
                    .entry();
            assertThat(store.find(fix.answers().get(0)).orElseThrow().json()).doesNotContain("imported");
        }
    }

    @Test
    void dryRun_findsTheSame_andWritesNothing() throws IOException {
        List<TranscriptFile> files = find(Fixtures.folder("claude").getParent());
        ImportReport dry;
        try (XMemStore store = XMem.inMemory()) {
            dry = TranscriptImport.dryRun(store, null, files, null, count -> {});
            assertThat(store.stats().failures()).isZero();
        }
        ImportReport real = run(files);

        assertThat(dry.text()).isEqualTo(real.text());
        assertThat(dry.recorded()).isEqualTo(real.recorded());
        assertThat(dry.lessons()).isEqualTo(real.lessons());
    }

    /** A session that makes the same mistake and mends it three times within an hour, the last time in another way. */
    private Path repeatedLesson() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            boolean fails = i % 2 == 0;
            String time = "2026-03-01T09:%02d:00Z".formatted(5 * i);
            lines.append("""
                    {"type":"assistant","sessionId":"x","timestamp":"%1$s","message":{"content":[{"type":"tool_use","id":"t%2$d","name":"Bash","input":{"command":"git push%3$s"}}]}}
                    {"type":"user","sessionId":"x","timestamp":"%1$s","message":{"content":[{"type":"tool_result","tool_use_id":"t%2$d","is_error":%4$s,"content":"%5$s"}]}}
                    """.formatted(
                            time,
                            i,
                            fails ? "" : i < 4 ? " -u origin topic" : " --set-upstream origin topic",
                            fails,
                            fails
                                    ? "Exit code 128\\nfatal: The current branch topic has no upstream branch."
                                    : "branch 'topic' set up to track 'origin/topic'."));
        }
        Path file = folder.resolve("repeated.jsonl");
        Files.writeString(file, lines.toString());
        return file;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void import_doesNotDependOnWhatElseTheStoreHas(boolean dry) throws IOException {
        List<TranscriptFile> files = find(repeatedLesson());
        Failure.Draft other = Failure.of("tar", "x", "tar: no such door");
        try (XMemStore empty = XMem.inMemory();
                XMemStore used = XMem.inMemory()) {
            used.recordFailure(other);
            List<ImportReport> reports = new ArrayList<>();
            for (XMemStore store : List.of(empty, used)) {
                reports.add(
                        dry
                                ? TranscriptImport.dryRun(store, null, files, null, count -> {})
                                : TranscriptImport.run(store, null, files, null, count -> {}));
            }
            for (ImportReport report : reports) {
                assertThat(report.failures()).isEqualTo(3);
                assertThat(report.recorded()).isEqualTo(2); // before the first lesson, and before the second
                assertThat(report.lessons()).isEqualTo(2);
            }
            if (!dry) {
                assertThat(empty.stats().failures()).isEqualTo(2);
                assertThat(used.stats().failures()).isEqualTo(3);
            }
        }
    }

    @Test
    void since_leavesOutWhatIsOlder_forALaterImport() throws IOException {
        List<TranscriptFile> files = find(Fixtures.folder("claude"));
        Instant april = Instant.parse("2026-04-01T00:00:00Z");
        try (XMemStore store = XMem.open(directory())) {
            ImportReport report = TranscriptImport.run(store, directory(), files, april, count -> {});
            assertThat(report.failures()).isEqualTo(1);
        }
        assertThat(run(files).recorded()).isEqualTo(3);
    }

    @Test
    void secret_isRedacted() throws IOException {
        String secret = "ghp_" + "a1B2".repeat(9);
        Path file = folder.resolve("s.jsonl");
        Files.writeString(file, """
                {"type":"assistant","sessionId":"x","timestamp":"2026-03-01T09:00:00Z","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"curl -H 'Authorization: Bearer %1$s' https://example.org"}}]}}
                {"type":"user","sessionId":"x","timestamp":"2026-03-01T09:00:01Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 22\\nerror: the token %1$s is not valid"}]}}
                """.formatted(secret));

        assertThat(run(find(file)).recorded()).isEqualTo(1);

        assertThat(bytes().toString()).doesNotContain(secret).contains("is not valid");
    }

    @Test
    void lesson_ofErrlore_becomesAdvice() throws IOException {
        run(find(Fixtures.folder("errlore")));

        try (XMemStore store = XMem.open(directory())) {
            assertThat(recorded(store, Entry.Kind.FAILURE).get(0))
                    .contains("\"pattern_avoid\":\"start the tunnel first\"");
        }
    }

    @Test
    void import_whileAnotherIsAtWork_isAnError() throws IOException {
        try (XMemStore store = XMem.open(directory());
                ImportLog log = ImportLog.open(directory().resolve(".xmem"))) {
            assertThat(log).isNotNull();
            assertThatIOException()
                    .isThrownBy(() ->
                            TranscriptImport.run(store, directory(), find(Fixtures.folder("codex")), null, count -> {}))
                    .withMessageContaining("another import");
        }
    }

    /** The end of a turn: what the hooks have seen is known, what they have not seen is recorded once. */
    @Test
    void tail_isReadOnce() throws IOException {
        Path file = folder.resolve("s-1.jsonl");
        Files.copy(Fixtures.files("claude").get(0), file);
        try (XMemStore store = XMem.open(directory())) {
            TranscriptImport.ofTail(store, directory(), file);
            TranscriptImport.ofTail(store, directory(), file);
            assertThat(store.stats().failures()).isEqualTo(2);
            Files.writeString(file, "\n", StandardOpenOption.APPEND);
            TranscriptImport.ofTail(store, directory(), file);
            TranscriptImport.ofTail(store, directory(), folder.resolve("missing.jsonl"));
            assertThat(store.stats().failures()).isEqualTo(2);
        }
    }
}
