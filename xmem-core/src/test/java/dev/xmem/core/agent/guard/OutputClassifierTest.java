package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Outputs without an exit code, or with exit code 0: {@code benign.txt} and {@code failing.txt}. */
class OutputClassifierTest {
    private final Guarded memory = new Guarded();

    @AfterEach
    void close() {
        memory.close();
    }

    /** An output: the call on the first line of its section, the text below. */
    private record Output(ToolCall call, String text) {
        static List<Output> of(String file) {
            try (InputStream in = Objects.requireNonNull(OutputClassifierTest.class.getResourceAsStream(file), file)) {
                List<Output> all = new ArrayList<>();
                for (String part : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n====\n", -1)) {
                    int end = part.indexOf('\n');
                    String line = part.substring(0, end);
                    ToolCall call = line.indexOf('{') > 0
                            ? ToolCall.json(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf('{')))
                            : ToolCall.shell(line);
                    all.add(new Output(call, part.substring(end + 1)));
                }
                return all;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return call.tool() + ' ' + call.action() + '\n' + text;
        }
    }

    private List<String> recorded(List<Output> outputs, boolean exited) {
        List<String> recorded = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            Output output = outputs.get(i);
            ToolError error = exited ? ToolError.exit(0, output.text) : ToolError.text(output.text);
            Advice advice = memory.guard.failed(output.call.session("s" + i), error);
            if (advice.status() != Advice.Status.TRIVIAL) {
                recorded.add(output.toString());
            }
        }
        return recorded;
    }

    private List<String> missed(List<Output> outputs, boolean exited) {
        List<String> missed = new ArrayList<>();
        outputs.forEach(output -> missed.add(output.toString()));
        missed.removeAll(recorded(outputs, exited));
        return missed;
    }

    @Test
    void failed_benignTexts_recordNothing() {
        List<Output> benign = Output.of("benign.txt");
        assertThat(benign).hasSizeGreaterThanOrEqualTo(50);
        assertThat(recorded(benign, false)).isEmpty();
        assertThat(recorded(benign, true)).isEmpty();
        assertThat(memory.failures()).isEmpty();
    }

    @Test
    void failed_textsOfFailures_areCaught() {
        List<Output> failing = Output.of("failing.txt");
        assertThat(failing).hasSizeGreaterThanOrEqualTo(50);
        assertThat(missed(failing, false)).isEmpty();
        assertThat(memory.failures()).isNotEmpty();
    }

    @Test
    void failed_failuresWithExitCodeZero_areCaught() {
        List<Output> failing = Output.of("failing.txt").stream()
                .filter(output -> !output.call.action().startsWith("{"))
                .toList();
        assertThat(failing).hasSizeGreaterThanOrEqualTo(20);
        assertThat(missed(failing, true)).isEmpty();
    }

    /** Of test runners and linters, behind a pipe or an alternative: the exit code is that of another command. */
    @Test
    void failed_summariesOfFailures_areCaught() {
        List<Output> failing = Output.of("summaries-failing.txt");
        assertThat(missed(failing, true)).isEmpty();
        assertThat(missed(failing, false)).isEmpty();
    }

    @Test
    void failed_summariesWithoutFailures_recordNothing() {
        List<Output> benign = Output.of("summaries-benign.txt");
        assertThat(recorded(benign, true)).isEmpty();
        assertThat(recorded(benign, false)).isEmpty();
    }

    @Test
    void failed_exitZeroThatSaysNothing_countsAsASuccess() {
        memory.guard.failed(Guarded.shell("s", "git push"), Guarded.NO_UPSTREAM);
        memory.guard.failed(
                Guarded.shell("s", "git push -u origin HEAD"),
                ToolError.exit(0, "branch 'x' set up to track 'origin/x'."));
        assertThat(memory.successes()).hasSize(1);
    }

    @Test
    void failed_textThatSaysNothing_isNoVerdict() {
        memory.guard.failed(Guarded.shell("s", "git push"), Guarded.NO_UPSTREAM);
        ToolCall call = Guarded.shell("s", "git push -u origin HEAD").callId("c");
        memory.guard.failed(call, ToolError.text("branch 'x' set up to track 'origin/x'."));
        assertThat(memory.successes()).isEmpty();
        memory.guard.succeeded(call);
        assertThat(memory.successes()).hasSize(1);
    }
}
