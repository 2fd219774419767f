package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts of repeats in transcripts whose truth is known. */
class TranscriptReplayTest {
    private static final String CALL = """
            {"type":"assistant","sessionId":"%1$s","timestamp":"2026-03-0%2$d","message":{"content":[{"type":"tool_use","id":"%3$s","name":"Bash","input":{"command":"%4$s"}}]}}
            {"type":"user","sessionId":"%1$s","timestamp":"2026-03-0%2$d","message":{"content":[{"type":"tool_result","tool_use_id":"%3$s","is_error":%5$s,"content":"%6$s"}]}}
            """;
    private static final String NO_MODULE = "Exit code 1\\nModuleNotFoundError: No module named 'yaml'";

    @TempDir
    Path folder;

    private void call(String session, int day, String time, String id, String command, boolean failed, String output)
            throws IOException {
        Path file = folder.resolve(session + ".jsonl");
        String old = Files.exists(file) ? Files.readString(file) : "";
        String lines = CALL.formatted(session, day, id, command, failed, output)
                .replace("2026-03-0" + day, "2026-03-0" + day + 'T' + time + 'Z');
        Files.writeString(file, old + lines);
    }

    private ReplayReport replay() throws IOException {
        List<TranscriptFile> files = Transcripts.find(List.of(folder), null, (file, reason) -> {});
        return TranscriptReplay.run(files, count -> {});
    }

    @Test
    void repeats_areCountedOnce_inTheOrderOfTime() throws IOException {
        // the file of the later session comes first by name
        call("a", 2, "10:00:00", "a1", "python3 check.py", true, NO_MODULE);
        call("a", 2, "10:01:00", "a2", "python3 check.py", true, NO_MODULE);
        call("b", 1, "10:00:00", "b1", "python3 check.py", true, NO_MODULE);
        call("b", 1, "10:01:00", "b2", "pip install pyyaml", false, "Successfully installed pyyaml-6.0.2");
        call("b", 1, "10:02:00", "b3", "python3 check.py", false, "12 files checked");
        call(
                "b",
                1,
                "10:03:00",
                "b4",
                "git push",
                true,
                "Exit code 128\\nfatal: The current branch main has no upstream branch.");
        Files.copy(folder.resolve("b.jsonl"), folder.resolve("b-resumed.jsonl"));

        ReplayReport report = replay();

        assertThat(report.failures()).isEqualTo(4);
        assertThat(report.familyCount()).isEqualTo(2);
        assertThat(report.repeats()).isEqualTo(new ReplayReport.Repeats(1, 1, 2));
        assertThat(report.lessonCount()).isEqualTo(1);
        assertThat(report.told()).isEqualTo(2);
        ReplayReport.Example first = report.examples().get(0);
        assertThat(first.session()).isEqualTo("a");
        assertThat(first.inSession()).isFalse();
        assertThat(first.said()).contains("pip install pyyaml");
        assertThat(report.families().get(0).failures()).isEqualTo(3);
    }

    /** What is learned later is not said earlier. */
    @Test
    void said_isWhatWasKnownThen() throws IOException {
        call("a", 1, "10:00:00", "a1", "python3 check.py", true, NO_MODULE);
        call("b", 1, "11:00:00", "b1", "python3 check.py", true, NO_MODULE);
        call("b", 1, "11:01:00", "b2", "pip install pyyaml", false, "Successfully installed pyyaml-6.0.2");
        call("b", 1, "11:02:00", "b3", "python3 check.py", false, "12 files checked");

        ReplayReport report = replay();

        assertThat(report.repeats().fromEarlierSessions()).isEqualTo(1);
        assertThat(report.examples())
                .allSatisfy(example -> assertThat(example.said()).doesNotContain("pip install"));
    }

    @Test
    void placebo_isLower_whereRepeatsAreOfTheirSession() throws IOException {
        for (int session = 0; session < 8; session++) {
            for (int time = 0; time < 5; time++) {
                String id = session + "-" + time;
                String error = "Exit code 1\\nModuleNotFoundError: No module named 'yaml'";
                call("s" + session, 1 + session, "10:0" + time + ":00", id, "tool" + session + " run x", true, error);
            }
        }

        ReplayReport report = replay();

        assertThat(report.repeats().inSession()).isEqualTo(32);
        assertThat(report.placebo().inSession()).isLessThan(24);
        assertThat(replay().placebo()).isEqualTo(report.placebo());
        double all = report.placebo().inSession()
                + report.placebo().fromEarlierSessions()
                + report.placebo().fresh();
        assertThat(all).isEqualTo(40);
    }
}
