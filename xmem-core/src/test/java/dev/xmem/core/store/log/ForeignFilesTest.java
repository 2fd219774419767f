package dev.xmem.core.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Logs that other programs wrote, and files that are not logs: they are opened, queried, appended to, and their bytes
 * kept.
 */
class ForeignFilesTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final String RECIPE = "jq -cn --arg ts \"$(date -u '+%Y-%m-%dT%H:%M:%SZ')\" --arg type \"$type\""
            + " --arg content \"$content\" --argjson tags \"$tags\" --argjson meta null"
            + " '{ts:$ts,type:$type,content:$content,tags:$tags,meta:$meta}' >> notes.jsonl";

    @TempDir
    Path directory;

    private static String line(int number) {
        return line(number, "error " + number);
    }

    private static String line(int number, String error) {
        return "{\"id\":\"2026-02-14-%03d\",\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"tool_failure\",\"tool\":\"rclone\","
                        .formatted(number)
                + "\"error\":\"" + error + "\",\"tags\":[\"old\"],\"ctx_hash\":\"rclone-sync-x\"}";
    }

    /** A file, and how many entries and malformed lines are in it. */
    private record Given(String name, byte[] bytes, int entries, int malformed) {
        static Given of(String name, String text, int entries, int malformed) {
            return new Given(name, text.getBytes(StandardCharsets.UTF_8), entries, malformed);
        }

        static Given of(String name, int entries, int malformed, byte[]... parts) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                all.writeBytes(part);
            }
            return new Given(name, all.toByteArray(), entries, malformed);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Stream<Given> files() {
        String one = line(1) + "\n";
        String two = line(2) + "\n";
        String both = one + two;
        String frame = line(3, "");
        return Stream.of(
                Given.of("plain", both, 2, 0),
                Given.of("empty", "", 0, 0),
                Given.of("CRLF", both.replace("\n", "\r\n"), 2, 0),
                Given.of("BOM", "\uFEFF" + both, 2, 0),
                Given.of("only a BOM", "\uFEFF", 0, 0),
                Given.of("BOM and CRLF", "\uFEFF" + both.replace("\n", "\r\n"), 2, 0),
                Given.of("half a line at the end", both + line(3).substring(0, 40), 2, 1),
                Given.of("a whole object without newline", both + line(3), 3, 0),
                Given.of("a whole object and a carriage return", both + line(3) + "\r", 3, 0),
                Given.of("blanks at the end", both + "  \t", 2, 0),
                Given.of("empty lines", "\n\n" + one + "\n \n\r\n" + two + "\n\n", 2, 0),
                Given.of("merge markers", "<<<<<<< HEAD\n" + one + "=======\n" + two + ">>>>>>> theirs\n", 2, 3),
                Given.of("the same line twice", both + one, 2, 0),
                Given.of("something after the object", one + line(2) + " x\n" + line(3) + line(4) + "\n", 1, 2),
                Given.of("no objects", one + "null\n[1,2]\n\"text\"\n12\ntrue\n" + two, 2, 5),
                Given.of("no failures", "{}\n{\"a\":1}\n" + one, 1, 0),
                Given.of("nested 5,000 deep", one + deep(5_000) + "\n" + two, 2, 1),
                Given.of("nested 200 deep", one + deep(200) + "\n" + two, 2, 0),
                Given.of(
                        "invalid UTF-8",
                        3,
                        0,
                        utf8(one + "{\"type\":\"tool_failure\",\"tool\":\"a\",\"error\":\""),
                        new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF, (byte) 0xED, (byte) 0xA0, (byte) 0x80},
                        utf8("\"}\n" + two)),
                Given.of("NUL bytes", 2, 2, utf8(one), new byte[4096], utf8("\n" + two), new byte[] {0, 0}),
                Given.of("NUL bytes before a line", 2, 0, utf8(one), new byte[4096], utf8(two)),
                Given.of("NUL bytes at the beginning", 2, 0, new byte[700], utf8(one), new byte[5], utf8(two)),
                Given.of("random bytes", 2, 1, utf8(one), new byte[] {1, 2, -3, 7, '{', '"', -1, '\n'}, utf8(two)),
                Given.of(
                        "a line as long as allowed",
                        one + line(3, "x".repeat(MEBIBYTE - frame.length())) + "\n" + two,
                        3,
                        0),
                Given.of(
                        "and a carriage return",
                        one + line(3, "x".repeat(MEBIBYTE - frame.length())) + "\r\n" + two,
                        3,
                        0),
                Given.of(
                        "a line that is too long",
                        one + line(3, "x".repeat(MEBIBYTE - frame.length() + 1)) + "\n" + two,
                        2,
                        1),
                Given.of("a line that is much too long", one + line(3, "x".repeat(3 * MEBIBYTE)) + "\n" + two, 2, 1),
                Given.of(
                        "too long by one and torn",
                        both + line(3, "x".repeat(MEBIBYTE)).substring(0, MEBIBYTE + 1),
                        2,
                        1),
                Given.of(
                        "too long and torn",
                        both + line(3, "x".repeat(3 * MEBIBYTE)).substring(0, 2 * MEBIBYTE),
                        2,
                        1));
    }

    private static String deep(int depth) {
        return "{\"type\":\"other\",\"id\":\"2026-02-14-900\",\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1)
                + "}";
    }

    @ParameterizedTest
    @MethodSource("files")
    void open_anyFile_answersAppendsAndKeepsItsBytes(Given given) throws IOException {
        Path log = directory.resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        Files.write(log, given.bytes);
        Failure own;
        try (XMemStore store = XMem.open(directory)) {
            check(store, given, 0);
            own = store.recordFailure(Failure.of("git", "push", "own"));
            check(store, given, 1);
            assertThat(store.find(own.id())).contains(own);
        }
        byte[] after = Files.readAllBytes(log);
        int old = given.bytes.length;
        assertThat(Arrays.copyOf(after, old)).isEqualTo(given.bytes);
        assertThat(new String(after, old, after.length - old, StandardCharsets.UTF_8))
                .isIn(own.json() + "\n", "\n" + own.json() + "\n");
        try (XMemStore again = XMem.open(directory)) {
            check(again, given, 1);
            assertThat(again.find(own.id())).contains(own);
            assertThat(again.stats().malformedLines()).isEqualTo(given.malformed);
            assertThat(again.recordFailure(Failure.of("git", "push", "own too")).id())
                    .isGreaterThan(own.id());
        }
        assertThat(Arrays.copyOf(Files.readAllBytes(log), after.length)).isEqualTo(after);
    }

    private static void check(XMemStore store, Given given, int own) {
        long found = store.search(Query.all().limit(1)).total();
        assertThat(found - own - (given.name.equals("no failures") ? 2 : given.name.equals("nested 200 deep") ? 1 : 0))
                .isEqualTo(given.entries);
        assertThat(store.stats().malformedLines()).isBetween(given.malformed - 1L, (long) given.malformed);
        if (given.entries > 0 && !given.name.equals("invalid UTF-8")) {
            assertThat(store.find("2026-02-14-001")).isPresent();
            assertThat(store.search(Query.literal("error 1")).total()).isEqualTo(1);
        }
    }

    @Test
    void open_lineWithABlankId_getsAnIdFromItsBytes() throws IOException {
        Path log = directory.resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        Files.writeString(
                log, line(1).replace("2026-02-14-001", "") + "\n" + line(2).replace("2026-02-14-002", " ") + "\n");
        try (XMemStore store = XMem.open(directory)) {
            assertThat(store.search(Query.all()).matches()).hasSize(2).allSatisfy(match -> {
                assertThat(match.entry().id()).startsWith("line-");
                assertThat(store.find(match.entry().id())).contains(match.entry());
            });
        }
    }

    @Test
    void verify_lineTooLong_namesFileAndOffset() throws IOException {
        Path log = directory.resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        String before = line(1) + "\n" + line(2) + "\n";
        Files.writeString(log, before + line(3, "x".repeat(MEBIBYTE)) + "\n" + line(4) + "\n");
        try (XMemStore store = XMem.open(directory)) {
            assertThat(store.verify().findings())
                    .anySatisfy(finding -> assertThat(finding)
                            .contains("failures.jsonl")
                            .contains("byte " + before.length())
                            .contains(String.valueOf(MEBIBYTE)));
        }
    }

    @Test
    void find_afterMuchGarbageWithoutANewline_returnsTheLinesBeforeIt() throws IOException {
        Path log = directory.resolve("data/failures.jsonl");
        Files.createDirectories(log.getParent());
        Files.writeString(log, line(1) + "\n" + "x".repeat(10 * MEBIBYTE));
        try (XMemStore store = XMem.open(directory)) {
            assertThat(store.stats().failures()).isEqualTo(1);
            Files.writeString(log, "x".repeat(MEBIBYTE) + "\n" + line(2) + "\n", StandardOpenOption.APPEND);
            assertThat(store.find("2026-02-14-002").map(Entry::json)).contains(line(2));
            assertThat(store.find("2026-02-14-001").map(Entry::json)).contains(line(1));
        }
    }

    @Test
    void journal_ofTheShellRecipe_isReadAndStaysUsableForTheShell() throws Exception {
        Path data = Files.createDirectories(directory.resolve("data"));
        Path log = data.resolve("notes.jsonl");
        String content = "quotes \" ' $HOME `x` \\ umlaut ü, face 😀\ttab";
        if (has("jq") && has("bash")) {
            shell(data, RECIPE, "type=note", "content=" + content, "tags=[\"a\",\"b\"]");
            shell(data, RECIPE, "type=fact", "content=User prefers Python.", "tags=null");
        } else {
            Files.writeString(
                    log,
                    "{\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"note\",\"content\":\"quotes \\\" ' $HOME `x` \\\\ "
                            + "umlaut ü, face 😀\\ttab\",\"tags\":[\"a\",\"b\"],\"meta\":null}\n{\"ts\":\"2026-02-14T16:30:00Z\","
                            + "\"type\":\"fact\",\"content\":\"User prefers Python.\",\"tags\":null,\"meta\":null}\n");
        }
        byte[] before = Files.readAllBytes(log);
        try (XMemStore store = XMem.open(directory)) {
            Note note = (Note)
                    store.search(Query.literal("quotes")).matches().get(0).entry();
            assertThat(note.content()).isEqualTo(content);
            assertThat(note.tags()).containsExactly("a", "b");
            store.writeNote(Note.of("note", "own: " + content));
            assertThat(store.search(Query.literal("😀")).total()).isEqualTo(2);
        }
        assertThat(Arrays.copyOf(Files.readAllBytes(log), before.length)).isEqualTo(before);
        assumeTrue(has("jq") && has("bash") && has("grep") && has("tail"), "jq, bash, grep and tail are not installed");
        assertThat(shell(data, "jq -r .content notes.jsonl"))
                .isEqualTo(content + "\nUser prefers Python.\nown: " + content + "\n");
        assertThat(shell(data, "tail -n 50000 notes.jsonl | grep -cF 'face 😀'"))
                .isEqualTo("2\n");
        assertThat(shell(data, "tail -n 2 notes.jsonl | grep -F Python | jq -r .type"))
                .isEqualTo("fact\n");
    }

    @Test
    void commands_onOldLines_answerTheSameAfterAnAppend() throws Exception {
        assumeTrue(has("jq") && has("bash") && has("grep") && has("tail"), "jq, bash, grep and tail are not installed");
        Path data = Files.createDirectories(directory.resolve("data"));
        Path log = data.resolve("failures.jsonl");
        Files.writeString(log, line(1) + "\r\n<<<<<<< HEAD\n" + line(2) + "\n" + line(3).substring(0, 30));
        List<String> commands = List.of(
                "jq -cR 'fromjson? | select(.tags == [\"old\"])' failures.jsonl",
                "grep -c rclone-sync-x failures.jsonl",
                "grep -nF '<<<<<<<' failures.jsonl",
                "tail -n 100 failures.jsonl | grep -F 'error 2'",
                "head -n 2 failures.jsonl");
        List<String> before = answers(data, commands);
        try (XMemStore store = XMem.open(directory)) {
            store.recordFailure(Failure.of("git", "push", "own"));
        }
        assertThat(answers(data, commands)).isEqualTo(before);
        assertThat(shell(data, "tail -n 1 failures.jsonl | jq -r .error")).isEqualTo("own\n");
    }

    private static List<String> answers(Path folder, List<String> commands) throws Exception {
        String[] answers = new String[commands.size()];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = shell(folder, commands.get(i));
        }
        return List.of(answers);
    }

    private static boolean has(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }

    private static String shell(Path folder, String command, String... variables) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", folder.toString());
        for (String variable : variables) {
            int at = variable.indexOf('=');
            builder.environment().put(variable.substring(0, at), variable.substring(at + 1));
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
