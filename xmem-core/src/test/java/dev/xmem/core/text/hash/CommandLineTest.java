package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "/usr/bin/rclone sync work:b /mnt/c | rclone | sync",
                "sudo -u x git -C d push | git | push",
                "docker compose -f a.yml up -d | docker | compose-up",
                "kubectl -n x get pods | kubectl | get",
                "npm run build -- --watch | npm | run",
                "npm i left-pad | npm | install",
                "python -m pip install x | pip | install",
                "python3.11 a.py | python | run",
                "timeout 30 env A=b nice -n 5 cargo build | cargo | build",
                "cd a/b && make -j4 | make | run",
                "git branch -D x | git | branch-delete",
                "bash -lc 'cd x && npm ci' | npm | ci",
                "mvn -o -q test | mvn | build",
                "frobnicate deploy --now | frobnicate | deploy",
                "frobnicate thing | frobnicate | run"
            })
    void parse_line_toolAndOperation(String line, String tool, String operation) {
        CommandLine.Call call = CommandLine.parse(line);
        assertThat(call.tool()).isEqualTo(tool);
        assertThat(call.operation()).isEqualTo(operation);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "# first\nset -e\ncd x\nnpm ci | npm",
                "run() {\n  cargo build\n}\nrun | cargo",
                "for i in 1 2; do\n  gcc a.c\ndone | gcc",
                "if ! javac A.java; then echo failed; exit 1; fi | javac",
                "out=$(tar xf a.tar 2>&1); echo \"$out\"; exit 1 | tar",
                "echo \"$(jq . a.json)\" | jq",
                "bash <<'EOF'\ncd a\nsed -n 1p b\nEOF\n | sed",
                "eval 'unzip a.zip' | unzip",
                "while read -r f; do unzip $f; done | unzip",
                "time timeout -k 5 60 sudo pytest -q | pytest",
                "[ -d a ] && kubectl get pods | kubectl"
            })
    void parse_scripts_theCommandThatWorks(String line, String tool) {
        assertThat(CommandLine.parse(line).tool()).isEqualTo(tool);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mkdir a/b && make | mkdir: cannot create directory 'a/b' | mkdir",
                "cmake .. && make | CMake Error: no CMakeLists.txt | cmake",
                "ls x; python3 a.py | ls: cannot access 'x'\nTraceback (most recent call last): | python",
                "git pull; npm ci | fatal: not a git repository | git",
                "cp left.txt b && zip c.zip d | left.txt: gone | cp"
            })
    void of_chain_theCommandThatTheErrorNames(String line, String error, String tool) {
        assertThat(CommandLine.of("bash", line, error).tool()).isEqualTo(tool);
    }

    @Test
    void parse_pipe_whatFeedsIt() {
        assertThat(CommandLine.parse("curl -s http://a | jq .").tool()).isEqualTo("curl");
        assertThat(CommandLine.parse("cat a | jq .").tool()).isEqualTo("jq");
    }

    @Test
    void parse_hereDocument_isNotACommand() {
        CommandLine.Call call = CommandLine.parse("git commit -F - <<'EOF'\nrm everything\nEOF\n");
        assertThat(call.tool()).isEqualTo("git");
        assertThat(call.operation()).isEqualTo("commit");
    }

    @Test
    void parse_arguments_asTheLine() {
        CommandLine.Call call = CommandLine.parse(List.of("sudo", "git", "commit", "-m", "a && b"));
        assertThat(call.tool()).isEqualTo("git");
        assertThat(call.operation()).isEqualTo("commit");
        assertThat(call.words()).containsExactly("commit", "-m", "a && b");
    }

    @Property
    void parse_anything_someTool(@ForAll String line, @ForAll List<String> argv) {
        assertThat(CommandLine.parse(line).tool()).isNotNull();
        assertThat(CommandLine.parse(argv).tool()).isNotNull();
    }
}
