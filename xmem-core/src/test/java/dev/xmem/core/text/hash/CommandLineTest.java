package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "uv run a.py --fast | python | run",
                "uv run pytest | uv | run",
                "uv run python -m pytest | uv | run",
                "uv run -q pytest a.py | uv | run",
                "uv run --with x a.py | python | run",
                "uv --directory d run --with=x --python 3.12 a.py | python | run",
                "uv run python a.py | python | run",
                "poetry -C d run python3 a.py | python | run",
                "tsx --tsconfig t.json a.ts | node | run",
                "npx tsx src/a.ts | node | run",
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

    /** The hash is that of the interpreter; the words stay those that were written. */
    @Test
    void works_scriptOfALauncher_isWrittenAsItWas() {
        CommandLine.Work work = CommandLine.works("shell", "uv run a.py --fast").get(0);

        assertThat(work.call().tool()).isEqualTo("python");
        assertThat(work.all()).containsExactly("uv", "run", "a.py", "--fast");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# first\nset -e\ncd x\njq . a.json",
                "run() {\n  jq . a.json\n}\nrun",
                "for i in 1 2; do\n  jq . a.json\ndone",
                "if ! jq . a.json; then echo failed; exit 1; fi",
                "out=$(jq . a.json 2>&1); echo \"$out\"; exit 1",
                "echo \"$(jq . a.json)\"",
                "bash <<'EOF'\ncd a\njq . a.json\nEOF\n",
                "eval 'jq . a.json'",
                "while read -r f; do jq . $f; done",
                "time timeout -k 5 60 sudo jq . a.json",
                "[ -d a ] && jq . a.json"
            })
    void parse_script_theCommandThatWorks(String line) {
        assertThat(CommandLine.parse(line).tool()).isEqualTo("jq");
    }

    @Test
    void of_chain_theCommandThatTheErrorNames() {
        assertThat(failed("mkdir a/b && make", "mkdir: cannot create directory 'a/b'"))
                .isEqualTo("mkdir");
        assertThat(failed("cmake .. && make", "CMake Error: no CMakeLists.txt")).isEqualTo("cmake");
        assertThat(failed("ls x; python3 a.py", "ls: cannot access 'x'\nTraceback (most recent call last):"))
                .isEqualTo("python");
        assertThat(failed("git pull; npm ci", "fatal: not a git repository")).isEqualTo("git");
        assertThat(failed("cp left.txt b && zip c.zip d", "left.txt: gone")).isEqualTo("cp");
    }

    private static String failed(String line, String error) {
        return CommandLine.of("bash", line, error).tool();
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
