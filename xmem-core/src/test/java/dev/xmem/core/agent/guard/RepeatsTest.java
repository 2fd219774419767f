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
    @ValueSource(
            strings = {"git status", "cat .git/config 2>/dev/null | grep -E 'a|b>' | head -3", "ls; git branch 2>&1"})
    void failed_againAndNothingChanged_saysThatItWillFailAgain(String step) {
        pushes();
        memory.guard.succeeded(shell("s", step));
        memory.store.flush();
        memory.guard.failed(shell("s", "ls nosuchfile"), ToolError.exit(2, "ls: nosuchfile: No such file"));
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat > .git/config <<'EOF'\n[remote]\nEOF",
                "echo x >> .git/config",
                "printf x > .git/config",
                "jq . a.json > b.json",
                "git show HEAD:f > f",
                "cat a | tee .git/config",
                "ls; touch .git/config",
                "ls\nrm .git/config",
                "find . -name '*.lock' -delete",
                "find . -exec touch {} +",
                "sort -o f f",
                "sort -uo f f",
                "uniq a b",
                "date -s now",
                "hostname other",
                "git branch topic",
                "git branch -D 'topic'",
                "git branch -f main HEAD~1",
                "git log | xargs git checkout",
                "echo $(git checkout topic)",
                "diff a <(git checkout topic)",
                "rg foo | sponge f",
                "env X=1 make config",
                "cd /other && ls",
            })
    void failed_againAfterAShellLineThatMayChangeIt_countsOnly(String line) {
        pushes();
        memory.guard.succeeded(
                ToolCall.json("Bash", "{\"command\":\"" + escaped(line) + "\"}").session("s"));
        assertThat(pushes().text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
        memory.guard.succeeded(shell("s", line));
        assertThat(pushes().text())
                .contains("third time in this session, unchanged")
                .doesNotContain(FORECAST);
    }

    /** The folder decides what the next call does, although no command changed a file. */
    @Test
    void failed_againAfterAChangeOfFolder_countsOnly() {
        pushes();
        memory.guard.succeeded(shell("s", "cd /other && ls"));
        memory.store.flush();
        assertThat(pushes().text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
    }

    private static String escaped(String line) {
        return line.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git push --force",
                "sed -i s/a/b/ .git/config && make all",
                "git checkout other && ls nosuchfile",
                "touch x.o; make test",
            })
    void failed_againAfterAFailedStepThatMayChangeIt_countsOnly(String line) {
        pushes();
        memory.guard.failed(shell("s", line), ToolError.exit(1, "error: something else of it failed here"));
        assertThat(pushes().text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apt-get update|E: Could not get lock /var/lib/apt/lists/lock. It is held by process 123 (apt)",
                "kubectl wait --for=condition=ready pod/web|error: timed out waiting for the condition on pods/web",
                "curl http://localhost:8080/|curl: (7) Failed to connect to localhost port 8080: Connection refused",
                "curl -f https://a.example/|curl: (22) The requested URL returned error: 429",
                "npm publish|npm error 503 Service Unavailable",
                "http GET a.example|HTTP/1.1 504 the upstream did not answer",
                "docker pull a/b:1|Error response from daemon: toomanyrequests: You have reached your pull rate limit.",
                "psql -c 'select 1'|psql: error: connection to server failed: FATAL:  the database system is starting up",
                "aws cloudformation update-stack|Stack:arn is in UPDATE_IN_PROGRESS state and can not be updated.",
                "gh pr merge 8|Pull request #8 is not mergeable: policy prohibits the merge. Checks are pending.",
                "xcrun simctl boot x|Unable to boot device in current state: Booting",
                "./wait.sh|Error: job 12 is still running",
                "gcloud run deploy x|ERROR: (gcloud.run.deploy) ABORTED: Conflict for resource x: version changed",
                "mysql -e 'select 1'|ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/run/m.sock'",
                "curl -f http://localhost:9200|curl: (52) Empty reply from server",
                "kubectl exec web-1 -- ls|error: unable to upgrade connection: container not found (\"web\")",
                "kubectl apply -f d.yaml|Operation cannot be fulfilled: the object has been modified",
                "npm install @acme/lib@2.0.1|npm error code ETARGET",
                "adb shell ls|error: device offline",
            })
    void failed_againFromWhatTimeCures_countsOnly(String line, String error) {
        memory.guard.failed(shell("s", line), ToolError.exit(7, error));
        assertThat(memory.guard
                        .failed(shell("s", line), ToolError.exit(7, error))
                        .text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
    }

    /** The user may have changed anything. */
    @Test
    void failed_againAfterTheUserSpoke_countsOnly() {
        pushes();
        memory.guard.userSaid("s", "I have set the upstream, please try again");
        assertThat(pushes().text())
                .contains("second time in this session, unchanged")
                .doesNotContain(FORECAST);
        assertThat(pushes().text()).contains("third time in this session, " + FORECAST);
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "terraform apply|Error: creating bucket: AccessDenied: request id: %s denied"
                        + "|8f14e45f-ceea-467f-abcd-1234567890ab|45c48cce-2e2d-4fbd-bbbb-ffffeeee1111",
                "pip install x|error: could not write to /tmp/pip-build-env-%s/overlay: denied|abcdefgh|zyxwvuts",
                "java A|java.lang.IllegalStateException: Task Foo@%s is already closed|1a2b3c4d|deadbeef",
            })
    void failed_againWithAnotherRandomName_isARepeat(String line, String message, String first, String second) {
        memory.guard.failed(shell("s", line), ToolError.exit(1, message.formatted(first)));
        assertThat(memory.guard
                        .failed(shell("s", line), ToolError.exit(1, message.formatted(second)))
                        .repeats())
                .isEqualTo(2);
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
