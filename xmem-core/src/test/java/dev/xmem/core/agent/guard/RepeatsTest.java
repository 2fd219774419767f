package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a guard says of a call that fails again in its session. */
class RepeatsTest {
    private static final String FORECAST = "unchanged: the same call will fail again";

    private final Guarded memory = new Guarded();

    @AfterEach
    void close() {
        memory.close();
    }

    private Advice pushes() {
        return memory.guard.failed(shell("s", "git push"), NO_UPSTREAM);
    }

    private Advice builds(String name) {
        return memory.guard.failed(
                shell("s", "cargo build"),
                ToolError.exit(
                        101,
                        "error[E0425]: cannot find value `" + name + "` in this scope\n --> src/main.rs:3:5\n"
                                + "error: could not compile `a` (bin \"a\") due to 1 previous error"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"git status", "cat .git/config", "ls"})
    void failed_againAndNothingChanged_saysThatItWillFailAgain(String step) {
        pushes();
        memory.guard.succeeded(shell("s", step));
        memory.store.flush();
        memory.guard.failed(shell("s", "git push --force"), ToolError.exit(1, "error: failed to push some refs"));
        assertThat(pushes().text()).contains("second time in this session, " + FORECAST);
    }

    @ParameterizedTest
    @CsvSource({
        "Edit, '{\"file_path\":\"/x/.git/config\"}'",
        "Bash, '{\"command\":\"git remote add origin git@a.example:b/c\"}'",
        "Bash, '{\"command\":\"npm run build | tail -1\"}'",
        "create_branch, '{\"name\":\"topic\"}'",
    })
    void failed_againAfterAStepThatMayChangeIt_countsOnly(String tool, String arguments) {
        pushes();
        memory.guard.succeeded(ToolCall.json(tool, arguments).session("s"));
        Advice again = pushes();
        assertThat(again.repeats()).isEqualTo(2);
        assertThat(again.text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
        assertThat(pushes().text())
                .as("nothing since the last time")
                .contains("third time in this session, " + FORECAST);
    }

    @Test
    void failed_againAboutAnotherName_isNoRepeat() {
        builds("x");
        Advice other = builds("y");
        assertThat(other.repeats()).isOne();
        assertThat(other.text()).doesNotContain("time in this session");
        assertThat(builds("y").text()).contains("second time in this session");
    }

    @Test
    void failed_againWithAnotherMessage_isNoRepeat() {
        ToolCall tests = shell("s", "pytest -q");
        memory.guard.failed(
                tests,
                ToolError.exit(1, "FAILED tests/test_a.py::test_first - AssertionError: assert 1 == 2\n1 failed"));
        Advice other = memory.guard.failed(
                tests,
                ToolError.exit(1, "FAILED tests/test_a.py::test_other - AssertionError: assert 1 == 2\n1 failed"));
        assertThat(other.text()).doesNotContain("time in this session");
    }

    @Test
    void failed_networkFailureAgain_isNoForecast() {
        ToolError reset =
                ToolError.exit(128, "fatal: unable to access 'https://a.example/b/': Connection reset by peer");
        memory.guard.failed(shell("s", "git fetch"), reset);
        assertThat(memory.guard.failed(shell("s", "git fetch"), reset).text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
    }
}
