package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures that are not worth recording, and similar ones that are. */
class TrivialFailuresTest {
    private static final ToolError RESET = ToolError.exit(56, "curl: (56) Recv failure: Connection reset by peer");

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private void assertTrivial(ToolCall call, ToolError error) {
        Advice advice = guard.failed(call, error);
        assertThat(advice.status()).as(advice.reason()).isEqualTo(Advice.Status.TRIVIAL);
        assertThat(advice.isEmpty()).isTrue();
        assertThat(advice.reason()).isNotEmpty();
        assertThat(memory.failures()).isEmpty();
    }

    private void assertRecorded(ToolCall call, ToolError error) {
        Advice advice = guard.failed(call, error);
        assertThat(advice.status()).as(advice.reason()).isNotEqualTo(Advice.Status.TRIVIAL);
        assertThat(memory.failures()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {129, 130, 141, 143})
    void failed_processWasStopped_isTrivial(int code) {
        assertTrivial(
                shell("s", "make all"),
                ToolError.exit(code, "make: *** [Makefile:3: all] Error 1\nerror: interrupted"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 126, 134, 137, 139})
    void failed_processFailedOrWasKilled_isNot(int code) {
        assertRecorded(shell("s", "make all"), ToolError.exit(code, "make: *** [Makefile:3: all] Error 1"));
    }

    @Test
    void failed_interruptedOrCancelled_isTrivial() {
        assertTrivial(shell("s", "make"), ToolError.thrown(new InterruptedException()));
        assertTrivial(shell("s", "make"), ToolError.thrown(new CancellationException("by the user")));
        assertTrivial(
                shell("s", "make"),
                ToolError.thrown(new IllegalStateException("stopped", new InterruptedException("sleep interrupted"))));
        assertTrivial(
                shell("s", "python run.py"),
                ToolError.exit(1, "Traceback (most recent call last):\n  File \"run.py\", line 3\nKeyboardInterrupt"));
    }

    @Test
    void failed_otherException_isNot() {
        assertRecorded(
                ToolCall.json("read", "{}"),
                ToolError.thrown(new IllegalStateException("no InterruptedException here")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
            grep -rn needle src            ~ ''
            grep -c needle a.txt           ~ 0
            grep -c needle a.txt b.txt     ~ a.txt:0
            cat log.txt | grep ERROR       ~ ''
            cd src && rg needle            ~ ''
            git grep needle                ~ ''
            which rclone                   ~ ''
            pgrep postgres                 ~ ''
            test -f a.txt                  ~ ''
            [ -d build ]                   ~ ''
            diff a.txt b.txt               ~ 1c1
            git diff --exit-code           ~ diff --git a/x b/x
            cmp a b                        ~ a b differ: byte 1, line 1
            """)
    void failed_searchOrComparisonThatSaysNo_isTrivial(String line, String output) {
        assertTrivial(shell("s", line), ToolError.exit(1, output));
    }

    @Test
    void failed_bashToolThatGreps_isTrivial() {
        assertTrivial(ToolCall.json("Bash", "{\"command\":\"cat a | grep b\"}"), ToolError.exit(1, ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            grep -rn needle nowhere  | 2 | grep: nowhere: No such file or directory
            grep needle              | 1 | grep: warning: stray backslash, and something was printed
            diff a.txt nowhere       | 2 | diff: nowhere: No such file or directory
            make check               | 1 | ''
            git push                 | 1 | ''
            """)
    void failed_searchThatWentWrong_isNot(String line, int code, String output) {
        assertRecorded(shell("s", line), ToolError.exit(code, output));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gti status      | bash: gti: command not found
            sl -la          | sh: 1: sl: not found
            pyhton run.py   | zsh: command not found: pyhton
            dokcer ps       | bash: line 1: dokcer: command not found
            kubeclt get po  | 'kubeclt' is not recognized as an internal or external command
            """)
    void failed_mistypedCommand_isTrivial(String line, String output) {
        assertTrivial(shell("s", line), ToolError.exit(127, output));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            git psuh                 | git: 'psuh' is not a git command. See 'git --help'. The most similar command is push
            cargo biuld              | error: no such command: `biuld` help: a command with a similar name exists: `build`
            npm run biuld            | npm error Missing script: "biuld" npm error Did you mean this? npm run build
            """)
    void failed_mistypedOperation_isTrivial(String line, String output) {
        assertTrivial(shell("s", line), ToolError.exit(1, output));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rg needle src     | bash: rg: command not found
            terraform plan    | bash: terraform: command not found
            frobnicate -x     | bash: frobnicate: command not found
            cmake -B build    | bash: cmake: command not found
            yq .a b.yml       | bash: yq: command not found
            """)
    void failed_missingCommand_isNot(String line, String output) {
        assertRecorded(ToolCall.shell(line), ToolError.exit(127, output));
    }

    @Test
    void failed_missingProgramThrown_isNot() {
        assertRecorded(
                ToolCall.shell("frobnicate -x"),
                ToolError.thrown(new IOException("Cannot run program \"frobnicate\": error=2, No such file")));
    }

    @Test
    void failed_unknownCommandThatTheNextCallCorrects_isNotRecorded() {
        guard.failed(shell("s", "frobnicaet -x a"), ToolError.exit(127, "bash: frobnicaet: command not found"));
        guard.succeeded(shell("s", "frobnicate -x a"));
        assertThat(memory.failures()).isEmpty();
    }

    @Test
    void failed_unknownCommandThatTheNextCallDoesNotCorrect_isRecorded() {
        guard.failed(shell("s", "frobnicate -x a"), ToolError.exit(127, "bash: frobnicate: command not found"));
        guard.succeeded(shell("s", "ls"));
        assertThat(memory.failures()).hasSize(1);
    }

    @Test
    void failed_networkBlip_isTrivialUntilItRepeats() {
        assertTrivial(shell("s", "curl -O https://a.example/x"), RESET);
        Advice second = guard.failed(shell("s", "curl -O https://a.example/x"), RESET);
        assertThat(second.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(memory.failures()).hasSize(1);
    }

    @Test
    void failed_networkBlipMoreThanADayLater_isTrivialAgain() {
        assertTrivial(shell("s", "curl -O https://a.example/x"), RESET);
        memory.pass(Duration.ofHours(25));
        assertTrivial(shell("s", "curl -O https://a.example/x"), RESET);
    }

    @Test
    void failed_networkBlipThatIsKnown_isAnswered() {
        memory.store.recordFailure(Failure.of(shell("s", "curl -O https://a.example/x"), RESET)
                .patternAvoid("The mirror drops the first connection: curl --retry 3"));
        Advice advice = guard.failed(shell("t", "curl -O https://b.example/y"), RESET);
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(advice.text()).contains("--retry 3");
    }

    @ParameterizedTest
    @CsvSource({
        "gti,git,true",
        "sl,ls,true",
        "pyhton,python,true",
        "kubctl,kubectl,true",
        "rg,rm,false",
        "yq,jq,false",
        "bat,cat,false",
        "git,git,false",
        "terraform,terragrunt,false",
        "npm,npx,false"
    })
    void isNear_pairsOfNames_areTold(String typed, String name, boolean near) {
        assertThat(TypoDetector.isNear(typed, name)).isEqualTo(near);
    }
}
