package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.hooks.HookTrace.Event;
import dev.xmem.hooks.HookTrace.Outcome;
import dev.xmem.testing.Programs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that hooks leave about their events. */
class HookTraceTest {
    private static final String FAILED = """
            {"session_id": "my-session", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
             "tool_input": {"command": "curl -H 'Authorization: Bearer tOpSeCrEt' https://private.example"},
             "error": "Exit code 7\\ncurl: (7) unexpected tOpSeCrEt"}""";

    @TempDir
    Path folder;

    private String hook(String event) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HookProgram.run(
                folder.resolve("store"),
                List.of(),
                new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)),
                out,
                System.err);
        return out.toString(StandardCharsets.UTF_8);
    }

    private List<Event> trace() throws IOException {
        return HookTrace.read(folder.resolve("store"));
    }

    private Path file() {
        return HookTrace.path(folder.resolve("store"));
    }

    @Test
    void answer_leavesALine_withoutAnyTextOfTheEvent() throws IOException {
        hook(FAILED);
        String told = hook(FAILED);

        assertThat(told).isNotEmpty();
        List<Event> events = trace();
        assertThat(events).hasSize(2);
        assertThat(events.get(0).recorded()).isNotEmpty();
        assertThat(events.get(0).outcome()).isEqualTo(Outcome.SILENT);
        assertThat(events.get(1).outcome()).isEqualTo(Outcome.TOLD);
        assertThat(events.get(1).tokens()).isPositive();
        assertThat(events).allSatisfy(event -> {
            assertThat(event.agent()).isEqualTo("claude");
            assertThat(event.name()).isEqualTo("PostToolUseFailure");
            assertThat(event.tool()).isEqualTo("Bash");
            assertThat(event.by()).isEqualTo("itself");
            assertThat(event.reason()).isNotEmpty();
        });
        assertThat(Files.readString(file())).doesNotContain("tOpSeCrEt", "private.example", "my-session");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void testEvent_leavesNoLine() throws IOException {
        hook(FAILED);
        assertThat(hook("{\"hook_event_name\": \"" + HookTrace.TEST_EVENT + "\", \"session_id\": \"s\"}"))
                .isEmpty();
        assertThat(trace()).hasSize(1);
    }

    @Test
    void trouble_isNoted_withoutTheInput() throws IOException {
        hook(FAILED);
        hook("{\"tOpSeCrEt: broken");
        hook("{\"neither\": \"agent\"}");

        assertThat(trace().subList(1, 3))
                .allSatisfy(event -> assertThat(event.isTrouble()).isTrue());
        assertThat(trace().get(1).reason()).isEqualTo("the event is not JSON (character 20)");
        assertThat(trace().get(2).reason()).contains("--agent");
        assertThat(Files.readString(file())).doesNotContain("tOpSeCrEt");
    }

    @Test
    void hook_withAnUnusableTrace_answersAllTheSame() throws IOException {
        hook(FAILED);
        Path other = Files.writeString(folder.resolve("other"), "mine");
        Files.delete(file());
        Files.createSymbolicLink(file(), other);
        assertThat(hook(FAILED)).isNotEmpty();
        assertThat(Files.readString(other)).isEqualTo("mine");

        Files.delete(file());
        Files.createDirectory(file());
        assertThat(hook(FAILED)).isNotEmpty();
        assertThat(trace()).isEmpty();
    }

    @Test
    void storeThatCannotBeOpened_isNotedAsTrouble() throws IOException {
        hook(FAILED);
        Path data = folder.resolve("store").resolve("data");
        Files.move(data, data.resolveSibling("moved"));
        Files.writeString(data, "no folder");

        assertThat(hook(FAILED)).isEmpty();
        assertThat(trace().get(1).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(trace().get(1).reason()).isNotEmpty();
    }

    @Test
    void tornLine_isSkipped_andEndsBeforeTheNext() throws IOException {
        hook(FAILED);
        Files.writeString(file(), "{\"ts\":\"2026-01-0", StandardOpenOption.APPEND);
        hook(FAILED);

        assertThat(trace()).hasSize(2);
        assertThat(trace().get(1).outcome()).isEqualTo(Outcome.TOLD);
    }

    @Test
    void severalProcesses_keepWholeLines_andTheBound() throws Exception {
        hook(FAILED);
        List<Process> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            writers.add(new ProcessBuilder(
                            Programs.JAVA,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            folder.resolve("store").toString(),
                            "writer" + i)
                    .inheritIO()
                    .start());
        }
        for (Process writer : writers) {
            while (writer.isAlive()) {
                assertThat(Files.size(file())).isLessThanOrEqualTo(HookTrace.MAX_BYTES);
                Thread.sleep(20);
            }
            assertThat(writer.exitValue()).isZero();
        }

        List<String> lines = Files.readAllLines(file());
        assertThat(trace()).hasSameSizeAs(lines);
        assertThat(Files.size(file())).isLessThanOrEqualTo(HookTrace.MAX_BYTES);
        assertThat(lines).as("the oldest were dropped").noneMatch(line -> line.contains("PostToolUseFailure"));
        assertThat(lines).hasSizeGreaterThan(50);
        for (int i = 0; i < 3; i++) {
            String name = "writer" + i;
            List<Long> numbers = trace().stream()
                    .filter(event -> event.agent().equals(name))
                    .map(Event::millis)
                    .toList();
            assertThat(numbers).isSorted();
        }
    }

    /** Writes many lines. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            HookTrace.Draft draft = new HookTrace.Draft(args[1], null, null, false, "because ".repeat(30), "");
            for (int i = 0; i < 300; i++) {
                HookTrace.write(Path.of(args[0]), draft, i, "itself");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60_000, 61_000, 1_772_359_200_000L, 1_772_359_200_120L, 1_772_359_259_999L})
    void time_isWrittenAsByInstant(long millis) {
        Instant time = Instant.ofEpochMilli(millis);
        assertThat(HookTrace.text(time)).isEqualTo(time.toString());
        assertThat(HookTrace.text(time.plusNanos(7)))
                .isEqualTo(time.plusNanos(7).toString());
    }
}
