package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which alleged successes a guard believes. */
class BelievedSuccessTest {
    private static final String PUSHED = " * [new branch]      topic -> topic\n";

    private final Guarded memory = new Guarded();

    @AfterEach
    void close() {
        memory.close();
    }

    private Advice pushFailsThen(String line, String output) {
        memory.guard.failed(shell("s", "git push"), NO_UPSTREAM);
        return memory.guard.failed(shell("s", line), ToolError.exit(0, output));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push --all 2>&1 | tail -3",
                "git push --all 2>&1 | head -1",
                "git push --all || true",
                "git push --all; echo done",
                "git push --all > log 2>&1; cat log",
                "(git push --all) 2>&1 | tee log",
                "{ git push --all; } || :",
                "! git push --all",
                "if git push --all; then echo pushed; fi",
                "bash -c 'git push --all || true'",
                "out=$(git push --all 2>&1); echo \"$out\"",
                "git push --all",
            })
    void exitZero_withTheEarlierError_isTheFailureAgain(String line) {
        Advice advice = pushFailsThen(line, NO_UPSTREAM.text());
        assertThat(advice.status()).isNotEqualTo(Advice.Status.TRIVIAL);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "git push --all > /dev/null 2>&1 || true # ''",
                "git push --all 2>/dev/null | tail -1 # ''",
                "git push --all 2>&1 | grep -v fatal # To push the current branch",
                "git push --all > log 2>&1; wc -l log # 4 log",
                "git push --all & # [1] 4711",
                "git push --all 2>&1 | head -1 # Enumerating objects: 3",
                "git push --all > log 2>&1; git status # On branch topic",
                "git push --all | tail -1 # hint: see the manual",
            })
    void exitZero_withoutVisibleOutput_provesNothing(String line, String output) {
        memory.guard.failed(shell("s", "git push"), ToolError.exit(128, NO_UPSTREAM.text() + "\nhint: see the manual"));
        memory.guard.failed(shell("s", line), ToolError.exit(0, output));
        assertThat(memory.successes()).isEmpty();
        assertThat(memory.failures()).hasSize(1);
        memory.guard.succeeded(shell("s", "git push -u origin HEAD"));
        assertThat(memory.successes()).as("the failure is still open").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "git push --all 2>&1 | tail -3 # PUSHED",
                "git push --all; echo \"exit=$?\" # exit=0",
                "git push --all > /dev/null 2>&1 && echo pushed || echo no # pushed",
                "set -o pipefail; git push --all 2>&1 | tail -3 # ''",
                "set -e; git push --all; echo done # done",
                "git push --all || exit 1; # ''",
                "git push --all > log 2>&1; rc=$?; tail -1 log; exit $rc # ''",
                "git fetch && git push --all # ''",
                "git push --all > log 2>&1; cat log # PUSHED",
            })
    void exitZero_thatProvesIt_isASuccess(String line, String output) {
        pushFailsThen(line, output.equals("PUSHED") ? PUSHED : output);
        assertThat(memory.successes()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push 2>&1 | tail -3",
                "git push 2>&1 | tee push.log",
                "git push || true",
                "time git push",
                "git push -v",
                "git push --verbose 2>&1",
                "GIT_TRACE=1 git push",
                "'git' \"push\"",
                "git push > push.log 2>&1; cat push.log",
                "set -x; git push; echo done",
                "( git push )",
                "sleep 3; git push",
            })
    void exitZero_sameWork_isNoLesson(String line) {
        pushFailsThen(line, PUSHED);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sudo git push",
                "/opt/git/bin/git push",
                "cd other && git push",
                "export GIT_SSH_COMMAND='ssh -i key'; git push",
                "GIT_SSH_COMMAND='ssh -i key' git push",
                "git push fork",
                "git -C other push",
                "git push --follow-tags",
                "git config push.default current && git push",
            })
    void exitZero_aDifferenceThatCanBeTheReason_isALesson(String line) {
        pushFailsThen(line, PUSHED);
        assertThat(memory.successes()).hasSize(1);
    }

    @Test
    void succeeded_maskedWithoutOutput_provesNothing() {
        String id = memory.store
                .recordFailure(
                        Failure.of(shell("monday", "git push"), NO_UPSTREAM).patternAvoid("Use `git push --all`."))
                .id();
        memory.guard.failed(shell("s", "git push"), NO_UPSTREAM);
        memory.guard.succeeded(shell("s", "git push --all 2>&1 | tail -3"));
        assertThat(memory.successes()).isEmpty();
        assertThat(memory.store.reportOutcome(id, Outcome.IRRELEVANT, "s"))
                .as("the session has not voted")
                .isTrue();
    }

    @Test
    void failed_resultOfAProcessAsJson_isRead() {
        memory.guard.failed(shell("s", "git push"), NO_UPSTREAM);
        ToolCall call =
                ToolCall.json("Bash", "{\"command\":\"git push --all\"}").session("s");
        String text = "{\"exit_code\":128,\"stdout\":\"\",\"stderr\":\"fatal: no upstream branch\"}";
        assertThat(memory.guard.failed(call, ToolError.exit(0, text)).status()).isNotEqualTo(Advice.Status.TRIVIAL);
        assertThat(memory.successes()).isEmpty();
        assertThat(memory.failures())
                .allSatisfy(failure -> assertThat(failure.error()).doesNotContain("exit_code"));
    }

    @Test
    void recall_storedPairThatDiffersInWhatReadsTheOutput_isNotTold() {
        Failure failure = memory.store.recordFailure(Failure.of(shell("old", "git push"), NO_UPSTREAM));
        memory.store.recordSuccess(Success.of("git", "add 2>&1 | tail -3")
                .action("git push 2>&1 | tail -3")
                .signature("no-upstream")
                .keySteps("git push 2>&1 | tail -3")
                .tags("retry")
                .answers(failure.id()));
        assertThat(memory.guard.failed(shell("s", "git push"), NO_UPSTREAM).text())
                .doesNotContain("tail -3");
        memory.store.recordSuccess(Success.of("git", "Look at the end")
                .action("git push 2>&1 | tail -3")
                .keySteps("git push 2>&1 | tail -3")
                .answers(failure.id()));
        assertThat(memory.guard.failed(shell("t", "git push"), NO_UPSTREAM).text())
                .as("recorded by a person")
                .contains("tail -3");
    }
}
