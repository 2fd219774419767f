package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool and the action of a command line. */
class ShellQuotingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "git push # git # push",
                "  git   push  origin  # git # push  origin",
                "ls # ls # ``",
                "/usr/bin/git push # git # /usr/bin/git push",
                ".venv/bin/python3 a.py # python3 # .venv/bin/python3 a.py",
                "if git push; then echo ok; fi # git # if git push; then echo ok; fi",
                "(cd web && npm test) # npm # (cd web && npm test)",
                "! git push # git # ! git push",
                "{ git push; } # git # { git push; }",
                "C:\\tools\\git.exe push # git # C:\\tools\\git.exe push",
                "NPM.CMD ci # NPM # ci",
                "\"/opt/my tools/run\" all # run # \"/opt/my tools/run\" all",
                "'git' push # git # push",
                "sudo git push # git # sudo git push",
                "sudo -u bob git push # git # sudo -u bob git push",
                "env -i PATH=/bin git push # git # env -i PATH=/bin git push",
                "timeout 30s git push # git # timeout 30s git push",
                "timeout -k 5 1.5m git push # git # timeout -k 5 1.5m git push",
                "nice -n 10 make # make # nice -n 10 make",
                "FOO=1 BAR='a b' make all # make # FOO=1 BAR='a b' make all",
                "cd x && git push # git # cd x && git push",
                "cd 'a b' ; git push # git # cd 'a b' ; git push",
                "export A=1; set -e; make # make # export A=1; set -e; make",
                "source venv/bin/activate && python x.py # python # source venv/bin/activate && python x.py",
                "git log | head # git # git log | head",
                "make&&make install # make # make&&make install",
                "cd x # cd # x",
                "sudo # sudo # ``",
                "git commit -m 'a && b' # git # commit -m 'a && b'",
            })
    void of_line_hasToolAndAction(String line, String tool, String action) {
        assertThat(ShellQuoting.of(line)).isEqualTo(new ShellQuoting(tool, action));
    }

    /** Two commands are not one: {@code ls} does not get the operands of what the next line removes. */
    @ParameterizedTest
    @CsvSource({
        "'ls\nrm -r x', ls, 'ls\nrm -r x'",
        "'ls\r\nrm x', ls, 'ls\r\nrm x'",
        "'\nls -a\n', ls, -a",
        "'cd web\nnpm test', npm, 'cd web\nnpm test'",
        "'# Why: it''s needed\nnpm ci', npm, '# Why: it''s needed\nnpm ci'",
        "'git push \\\n  origin', git, 'push \\\n  origin'",
        "'git commit -m \"a\nb\"', git, 'commit -m \"a\nb\"'",
    })
    void of_severalLines_hasToolAndActionOfAll(String line, String tool, String action) {
        assertThat(ShellQuoting.of(line)).isEqualTo(new ShellQuoting(tool, action));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "&&", "A=1", "A=1 B=2", "; ; ;"})
    void of_lineWithoutProgram_isOfTheShell(String line) {
        assertThat(ShellQuoting.of(line)).isEqualTo(new ShellQuoting("shell", line.strip()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'", "\"", "a '", "a \"b", "\\", "/", "x=", "&", "|||", "timeout", "sudo -u", "cd &&"})
    void of_hostileLine_hasSomeTool(String line) {
        assertThat(ShellQuoting.of(line).tool()).isNotEmpty();
    }

    @Test
    void of_argv_quotesWhatAShellWouldInterpret() {
        assertThat(ShellQuoting.of(List.of("git", "commit", "-m", "a b", "", "it's", "$x")))
                .isEqualTo(new ShellQuoting("git", "commit -m 'a b' '' 'it'\\''s' '$x'"));
    }

    @Test
    void of_argvOfOneProgram_hasOnlyItsPath() {
        assertThat(ShellQuoting.of(List.of("/usr/local/bin/rclone")))
                .isEqualTo(new ShellQuoting("rclone", "/usr/local/bin/rclone"));
        assertThat(ShellQuoting.of(List.of(""))).isEqualTo(new ShellQuoting("shell", ""));
    }

    @Test
    void of_argvWithWrapper_isTheWrappedProgram() {
        assertThat(ShellQuoting.of(List.of("sudo", "-u", "bob", "git", "push")))
                .isEqualTo(new ShellQuoting("git", "sudo -u bob git push"));
    }

    @Test
    void of_argvAndSameLine_areEqual() {
        assertThat(ShellQuoting.of(List.of("rclone", "sync", "a:", "/b")))
                .isEqualTo(ShellQuoting.of("rclone sync a: /b"));
        assertThat(ToolCall.command(List.of("rclone", "sync")).tool()).isEqualTo("rclone");
        assertThat(ToolCall.shell("cd x && rclone sync").action()).isEqualTo("cd x && rclone sync");
    }
}
