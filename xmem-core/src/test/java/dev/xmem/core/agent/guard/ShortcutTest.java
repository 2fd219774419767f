package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that work because they force, switch off a protection, or do a smaller job, are no lessons by themselves. */
class ShortcutTest {
    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private void solves(String failed, String error, String... next) {
        guard.failed(shell("s", failed), ToolError.exit(1, error.replace("\\n", "\n")));
        for (String call : next) {
            guard.succeeded(shell("s", call));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "git push | ! [rejected] main -> main (non-fast-forward)\\nerror: failed to push some refs"
                        + " | git push --force",
                "git push origin main | ! [rejected] main -> main (fetch first)\\nerror: failed to push some refs"
                        + " | git push -f origin main",
                "git checkout main | error: Your local changes to the following files would be overwritten by"
                        + " checkout:\\n\\ta.py\\nPlease commit your changes or stash them before you switch branches."
                        + " | git checkout -f main",
                "terraform apply | Error: Error acquiring the state lock\\n\\nError message:"
                        + " ConditionalCheckFailedException | terraform apply -lock=false",
                "dropdb app | dropdb: error: database removal failed: ERROR: database \"app\" is being accessed by other"
                        + " users | dropdb --force app",
                "curl -sS https://a.example/ | curl: (60) SSL certificate problem: self-signed certificate"
                        + " | curl -k -sS https://a.example/",
                "curl -sS https://a.example/ | curl: (60) SSL certificate problem: self-signed certificate"
                        + " | curl --insecure -sS https://a.example/",
                "wget https://a.example/x | ERROR: cannot verify a.example's certificate, issued by 'CN=a'"
                        + " | wget --no-check-certificate https://a.example/x",
                "git clone https://a.example/x | fatal: unable to access 'https://a.example/x': SSL certificate problem:"
                        + " self-signed certificate | GIT_SSL_NO_VERIFY=1 git clone https://a.example/x",
                "git clone https://a.example/x | fatal: unable to access 'https://a.example/x': SSL certificate problem:"
                        + " self-signed certificate | git -c http.sslVerify=false clone https://a.example/x",
                "Invoke-RestMethod https://a.test | The remote certificate is invalid"
                        + " | Invoke-RestMethod https://a.test -SkipCertificateCheck",
                "helm upgrade web ./web | Error: Kubernetes cluster unreachable: x509: certificate signed by unknown"
                        + " authority | helm upgrade web ./web --kube-insecure-skip-tls-verify",
                "apt-get install -y jq | E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123"
                        + " (apt) | rm /var/lib/dpkg/lock-frontend && apt-get install -y jq",
                "go test ./... | --- FAIL: TestX (0.00s)\\nFAIL\\tgithub.com/a/b\\t0.1s | go test ./... -run TestY",
                "npm test | FAIL src/a.test.js\\nTests: 1 failed | npm test -- src/b.test.js",
                "npx eslint src | /x/src/a.js\\n  1:1  error  'a' is unused  no-unused-vars\\n1 problem"
                        + " | npx eslint src --rule \"no-unused-vars: off\"",
                "npm audit | 2 high severity vulnerabilities | npm audit --audit-level=critical",
                "mypy | src/a.py:3: error: Incompatible types in assignment\\nFound 1 error in 1 file"
                        + " | mypy src/b.py",
                "ruff check . | a.py:1:1: E501 Line too long\\nFound 1 error. | ruff check b.py",
            })
    void succeeded_byAShortcut_isNoLesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"force\":true", "\"verify\":false", "\"skip_checks\":true", "\"insecure\":true"})
    void succeeded_withSuchAMember_isNoLesson(String member) {
        guard.failed(
                ToolCall.json("deploy", "{\"app\":\"web\"}").session("s"),
                ToolError.text("Error: the release 42 of the app is frozen"));
        guard.succeeded(
                ToolCall.json("deploy", "{\"app\":\"web\"," + member + "}").session("s"));
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apt-get install -y jq | E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 123"
                        + " (apt) | sudo rm -f /var/lib/dpkg/lock-frontend",
            })
    void succeeded_afterALockWasDeleted_isNoLesson(String failed, String error, String step) {
        solves(failed, error, step, failed);
        assertThat(memory.successes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            value = {
                "docker rm web | Error response from daemon: cannot remove container \"/web\": container is running: stop"
                        + " the container before removing or force remove | docker rm --force web",
                "git worktree remove wt | fatal: 'wt' contains modified or untracked files, use --force to delete it"
                        + " | git worktree remove --force wt",
                "git branch -d topic | error: The branch 'topic' is not fully merged.\\nIf you are sure you want to"
                        + " delete it, run 'git branch -D topic'. | git branch -D topic",
                "npm install | npm error code ERESOLVE\\nnpm error Fix the upstream dependency conflict, or retry this"
                        + " command with --force or --legacy-peer-deps | npm install --force",
                "terraform apply | Error: Error acquiring the state lock | terraform apply -lock-timeout=60s",
                "pip install --upgrade x | ERROR: Cannot uninstall 'PyYAML'. It is a distutils installed project"
                        + " | pip install --upgrade --force-reinstall x",
                "mypy | usage: mypy [-h] [files ...]\\nmypy: error: Missing target module, package, files, or command."
                        + " | mypy src",
                "npm install | npm ERR! code EUSAGE\\nnpm ERR! package-lock.json is out of sync while running process"
                        + " | rm -rf node_modules package-lock.json && npm install",
                "git commit -m x | fatal: Unable to create '.git/index.lock': File exists.\\n\\nAnother git process seems to"
                        + " be running in this repository. If it still fails, remove the file manually to continue."
                        + " | rm -f .git/index.lock && git commit -m x",
                "buildah push api reg.local:5000/api | pinging registry: http: server gave HTTP response to HTTPS client"
                        + " | buildah push --tls-verify=false api reg.local:5000/api",
                "ruff . | error: unrecognized subcommand '.' | ruff check .",
                "ln -s a b | ln: failed to create symbolic link 'b': File exists | ln -sf a b",
            })
    void succeeded_asTheErrorAdvised_isALesson(String failed, String error, String retry) {
        solves(failed, error, retry);
        assertThat(memory.successes()).hasSize(1);
    }
}
