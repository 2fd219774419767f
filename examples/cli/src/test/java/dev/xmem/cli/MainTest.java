package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line itself: help, mistakes, and a missing store. */
class MainTest {
    private static final String FAILURE =
            "{\"type\":\"tool_failure\",\"tool\":\"npm\",\"error\":\"connect ETIMEDOUT\"}\n";

    @TempDir
    Path folder;

    @Test
    void help_top_listsCommandsAndExitCodes() {
        Xmem help = Xmem.run("--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("record", "recall", "search", "load", "stats", "verify", "hash", "completion");
        assertThat(help.out()).contains("memory-write, memory_write", "memory-search, memory_search");
        assertThat(help.out()).contains("remember", "directives", "promote", "slash");
        assertThat(help.out()).contains("Exit codes:", "Getting started:");
        assertThat(help.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "record",
                "recall",
                "search",
                "load",
                "stats",
                "verify",
                "hash",
                "completion",
                "memory-write",
                "memory-search",
                "remember",
                "directives",
                "promote",
                "outcome",
                "amend",
                "slash"
            })
    void help_command_hasExample(String command) {
        Xmem help = Xmem.run(command, "--help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: xmem " + command, "Example", "--store=DIR", "--json");
    }

    @Test
    void commandLine_empty_listsCommands() {
        Xmem run = Xmem.run();

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).startsWith("xmem: no command given").contains("record", "remember", "--help");
    }

    @Test
    void commandLine_unknownCommand_suggestsSimilar() {
        Xmem run = Xmem.run("serch", "x");

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("serch").contains("did you mean search");
    }

    @ParameterizedTest
    @ValueSource(strings = {"record", "recall", "stats", "verify", "hash", "remember", "directives", "memory-search"})
    void commandLine_unknownOption_isReported(String command) {
        Xmem run = Xmem.run(command, "--store", folder.toString(), "--jsn");

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("--jsn").doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void commandLine_unknownOptionWithJson_printsObject() {
        Xmem run = Xmem.run("stats", "--json", "--jsn");

        assertThat(run.errors()).singleElement().asString().startsWith("{\"error\":\"Unknown option: '--jsn'");
    }

    @Test
    void commandLine_unexpectedArgument_isReported() {
        assertThat(Xmem.run("stats", "all").err()).contains("'all'");
        assertThat(Xmem.run("record", "notes.jsonl", "--store", folder.toString()))
                .satisfies(run -> {
                    assertThat(run.code()).isEqualTo(Main.FAILED);
                    assertThat(run.err()).contains("xmem record < notes.jsonl");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"recall", "search", "load", "stats", "verify"})
    void reading_noStore_failsAndCreatesNone(String command) {
        Path none = folder.resolve("none");

        Xmem run = Xmem.run("--store", none.toString(), command);

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).isEqualTo("xmem: no xmem store in " + none + "; record something first\n");
        assertThat(none).doesNotExist();
    }

    @Test
    void store_notGiven_errorSaysHowToGiveIt() {
        Xmem run = Xmem.run("stats", "--json");

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).startsWith("{\"error\":\"no store: give --store DIR, or set XMEM_STORE");
    }

    @Test
    void store_beforeOrAfterCommand_isEquivalent() {
        String store = folder.resolve("s").toString();

        assertThat(Xmem.fed(FAILURE, "--store", store, "record").code()).isZero();
        assertThat(Xmem.fed(FAILURE, "record", "-", "--store=" + store).code()).isZero();

        assertThat(Xmem.run("stats", "--json", "--store", store).out()).contains("\"failures\":2");
        assertThat(Xmem.run("--json", "--store", store, "stats").out()).contains("\"failures\":2");
    }

    @Test
    void store_isFile_failsWithMessage() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");

        Xmem run = Xmem.fed(FAILURE, "record", "--store", file.toString());

        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains(file.toString()).doesNotContain("\tat ", "defect");
    }

    @Test
    void completion_printsScriptWithAllCommands() {
        assertThat(Xmem.run("completion").out()).contains("complete -F", "xmem", "recall", "--store");
        assertThat(Xmem.run("completion").out())
                .contains(
                        "memory-write",
                        "memory_write",
                        "memory-search",
                        "remember",
                        "--subject",
                        "directives",
                        "promote");
        assertThat(Xmem.run("completion", "--json").lines())
                .singleElement()
                .asString()
                .startsWith("{\"script\":\"");
    }

    /** Java reads each byte of these letters as U+FFFD, and would pass "?" on, which a shell takes for any letter. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void run_lettersThatTheLocaleDoesNotHave_passesThemOn() throws Exception {
        Files.writeString(folder.resolve("show"), "printf '<%s>' \"$LC_ALL\" \"$@\"; exit 3");
        String letters = "\"$(printf '\\303\\274 *\\342\\202\\254\"\\047')";

        Process process = inShell(
                "%s --store s run -- sh show -n '%d\\0101' " + letters + "\" '' " + letters + "\n\n\" 2>&1", "C");

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("<C><-n><%d\\0101><ü *€\"'><><ü *€\"'\n\n>");
        assertThat(process.waitFor()).isEqualTo(3);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void search_lettersThatTheLocaleDoesNotHave_findsThem() throws Exception {
        Process process = inShell(
                "echo '{\"type\":\"note\",\"content\":\"fenêtre\"}' | %s record --store s >&2; "
                        + "%s search --store s \"$(printf 'fen\\303\\252tre')\"",
                "C");

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("fenêtre");
        assertThat(process.waitFor()).isEqualTo(Main.OK);
    }

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @CsvSource({
        "stats --store, \\303\\274ber, not usable as a path here",
        "search, \\374ber, the command line has letters that the locale does not have"
    })
    void commandLine_letters_thatCannotBePassedOn_areRefusedWithAdvice(String command, String letters, String reason)
            throws Exception {
        Process process = inShell("%s " + command + " \"$(printf '" + letters + "')\" 2>&1", "C");

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("xmem: ")
                .contains(reason, "LC_ALL=C.UTF-8");
        assertThat(process.waitFor()).isEqualTo(Main.FAILED);
        assertThat(folder).isEmptyDirectory();
    }

    /** The virtual machine would read its own classes, because it opens them as file 0. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void record_closedInput_isReported() throws Exception {
        Process process = inShell("%s record --store s 2>&1 <&-", "C.UTF-8");

        assertThat(new String(process.getInputStream().readNBytes(1 << 16), StandardCharsets.UTF_8))
                .isEqualTo("xmem: standard input is closed; to pass no input, use < /dev/null\n");
        assertThat(process.waitFor()).isEqualTo(Main.FAILED);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void output_diskFull_isReported() throws Exception {
        Process process = inShell("%s completion 2>&1 >/dev/full", "C.UTF-8");

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("xmem: write failure on standard output: No space left on device\n");
        assertThat(process.waitFor()).isEqualTo(Main.FAILED);
    }

    /** Some lines of the batch that did not fit are in the log, and have no answer. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void record_logCannotGrow_saysWhichLinesHaveNoAnswer() throws Exception {
        String line = "{\\\"type\\\":\\\"tool_failure\\\",\\\"tool\\\":\\\"git\\\",\\\"error\\\":\\\"e $i\\\"}";
        Process process = inShell(
                "i=0; while [ $i -lt 900 ]; do echo \"" + line + "\"; i=$((i+1)); done >in;"
                        + " ulimit -f 150; %s record --store s <in 2>err >out; code=$?; wc -l <out; cat err; exit $code",
                "C.UTF-8");
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(each -> !each.startsWith("{\"progress\"")) // a slow machine reports it
                .toList();

        assertThat(process.waitFor()).isEqualTo(Main.FAILED);
        int answered = Integer.parseInt(lines.get(0).strip());
        assertThat(answered).isBetween(1, 800);
        assertThat(lines.get(1))
                .startsWith("{\"line\":" + (answered + 1) + ",\"to\":")
                .contains("none, some or all of these lines are stored, the first ones first; later lines are not");
        assertThat(lines.get(2)).startsWith("xmem: ").contains("File too large");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void output_closedByItsReader_isNotReported() throws Exception {
        Process process = inShell("{ %s completion 2>&3 | true; } 3>&1", "C.UTF-8");

        assertThat(process.getInputStream().readAllBytes()).isEmpty();
    }

    /** Runs a command line of the shell; each {@code %s} in it is this program. */
    private Process inShell(String line, String locale) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String program = "'" + java + "' -cp '" + System.getProperty("java.class.path") + "' " + Main.class.getName();
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line.replace("%s", program)).directory(folder.toFile());
        builder.environment().put("LC_ALL", locale);
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
