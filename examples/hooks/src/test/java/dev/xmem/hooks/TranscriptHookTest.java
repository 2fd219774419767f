package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.transcripts.TranscriptImport;
import dev.xmem.transcripts.Transcripts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What transcripts give to hooks: advice from what was imported, and at the end of a turn what no hook has seen. */
class TranscriptHookTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NO_YAML = "Exit code 1\nModuleNotFoundError: No module named 'yaml'";

    @TempDir
    Path folder;

    private Path directory() {
        return folder.resolve("store");
    }

    private Path transcript() {
        return folder.resolve("s-1.jsonl");
    }

    private String hook(Map<String, Object> event) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = JSON.writeValueAsBytes(event);
        HookProgram.run(directory(), List.of(), new ByteArrayInputStream(bytes), out, System.err);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String failed(String session, String command, String error) throws IOException {
        return hook(Map.of(
                "session_id",
                session,
                "transcript_path",
                transcript().toString(),
                "hook_event_name",
                "PostToolUseFailure",
                "tool_name",
                "Bash",
                "tool_input",
                Map.of("command", command),
                "tool_use_id",
                "toolu_1",
                "error",
                error));
    }

    private String ended(String event) throws IOException {
        return hook(Map.of("session_id", "s-1", "transcript_path", transcript().toString(), "hook_event_name", event));
    }

    private void write(String session, Instant time, String id, String tool, String input, boolean failed, String text)
            throws IOException {
        String old = Files.exists(transcript()) ? Files.readString(transcript()) : "";
        Map<String, Object> use = Map.of("type", "tool_use", "id", id, "name", tool, "input", JSON.readTree(input));
        Map<String, Object> result =
                Map.of("type", "tool_result", "tool_use_id", id, "is_error", failed, "content", text);
        Files.writeString(
                transcript(),
                old + line(session, time, "assistant", use) + line(session, time.plusSeconds(1), "user", result));
    }

    private static String line(String session, Instant time, String role, Map<String, Object> part) throws IOException {
        return JSON.writeValueAsString(Map.of(
                        "type",
                        role,
                        "sessionId",
                        session,
                        "cwd",
                        "/work",
                        "timestamp",
                        time.toString(),
                        "message",
                        Map.of("role", role, "content", List.of(part))))
                + '\n';
    }

    private List<String> families() {
        try (XMemStore store = XMem.open(directory())) {
            return store.search(Query.all().kind(Entry.Kind.FAILURE).limit(20)).matches().stream()
                    .map(Match::entry)
                    .map(entry -> ((Failure) entry).ctxHash())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void firstFailureOfANewSession_isToldTheFixFromATranscript() throws IOException {
        Instant time = Instant.now().minusSeconds(86_400);
        write("old", time, "t1", "Bash", "{\"command\":\"python3 tools/check.py\"}", true, NO_YAML);
        write("old", time.plusSeconds(9), "t2", "Bash", "{\"command\":\"pip install pyyaml\"}", false, "Installed");
        write("old", time.plusSeconds(20), "t3", "Bash", "{\"command\":\"python3 tools/check.py\"}", false, "12 files");
        assertThat(failed("new-0", "python3 tools/check.py", NO_YAML)).doesNotContain("pip install");
        try (XMemStore store = XMem.open(directory())) {
            TranscriptImport.run(
                    store,
                    directory(),
                    Transcripts.find(List.of(transcript()), null, (file, reason) -> {}),
                    null,
                    count -> {});
        }

        assertThat(failed("new", "python3 tools/check.py", NO_YAML)).contains("pip install pyyaml");
    }

    @Test
    void endOfTurn_recordsWhatNoHookHasSeen_once() throws IOException {
        Instant now = Instant.now();
        failed("s-1", "python3 tools/check.py", NO_YAML);
        write("s-1", now, "toolu_1", "Bash", "{\"command\":\"python3 tools/check.py\"}", true, NO_YAML);
        String edit = "{\"file_path\":\"/work/a.py\",\"old_string\":\"a\",\"new_string\":\"b\"}";
        String notRead =
                "<tool_use_error>File has not been read yet. Read it first before writing to it." + "</tool_use_error>";
        write("s-1", now.plusSeconds(5), "toolu_2", "Edit", edit, true, notRead);

        for (String event : List.of("Stop", "Stop", "SessionEnd")) {
            assertThat(ended(event)).isEmpty();
            assertThat(families()).containsExactly("edit-run-not-read-first", "python-run-module-not-found");
        }
    }

    @Test
    void endOfTurn_withoutATranscript_hasNoEffect() throws IOException {
        assertThat(ended("Stop")).isEmpty();
        Files.writeString(transcript(), "no transcript");
        assertThat(ended("SessionEnd")).isEmpty();
        assertThat(families()).isEmpty();
    }
}
