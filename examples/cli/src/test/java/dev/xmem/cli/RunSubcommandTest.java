package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem run} as a process of its own, beside the same program run directly. */
class RunSubcommandTest {
    @TempDir
    Path folder;

    private Path store;

    @BeforeEach
    void learn() {
        store = folder.resolve("store");
        try (XMemStore memory = XMem.open(store)) {
            memory.recordFailure(Failure.of(
                            ToolCall.command(List.of("sh", "fails.sh")).session("old"),
                            ToolError.exit(3, "fatal: The current branch topic has no upstream branch."))
                    .patternAvoid("push -u origin topic"));
        }
    }

    private record Ran(int code, byte[] out, byte[] err) {
        String errText() {
            return new String(err, StandardCharsets.UTF_8);
        }
    }

    private static List<String> xmem(String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(more));
        return command;
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("XMEM_USER_STORE", "none");
        return builder;
    }

    private Ran ran(List<String> command, String input) throws IOException, InterruptedException {
        Process process = process(command).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        int code = process.waitFor();
        return new Ran(code, Files.readAllBytes(folder.resolve("out")), Files.readAllBytes(folder.resolve("err")));
    }

    private Path script(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void run_aKnownFailure_keepsCodeAndBytesAndTellsAtTheEnd() throws Exception {
        script("fails.sh", """
                printf 'a\\000b\\377\\r\\n no newline'
                echo 'fatal: The current branch topic has no upstream branch.' >&2
                exit 3
                """);
        Ran direct = ran(List.of("sh", "fails.sh"), "");

        Ran guarded = ran(xmem("--store", "store", "run", "--session", "s", "--", "sh", "fails.sh"), "");

        assertThat(guarded.code).isEqualTo(direct.code).isEqualTo(3);
        assertThat(guarded.out).isEqualTo(direct.out);
        assertThat(guarded.err).startsWith(direct.err);
        assertThat(guarded.errText()).contains("push -u origin topic");
        try (XMemStore memory = XMem.open(store)) {
            assertThat(memory.stats().failures()).isEqualTo(2);
        }
    }

    @Test
    void run_tellIntoAFile_keepsBothStreamsExactlyAndReadsTheInput() throws Exception {
        script("fails.sh", """
                cat
                i=0; while [ $i -lt 40 ]; do echo "line $i"; echo "step $i" >&2; i=$((i+1)); done
                echo 'fatal: The current branch topic has no upstream branch.' >&2
                exit 3
                """);
        Ran direct = ran(List.of("sh", "fails.sh"), "typed\n");

        Ran guarded = ran(xmem("--store", "store", "run", "--tell", "advice", "--", "sh", "fails.sh"), "typed\n");

        assertThat(guarded.code).isEqualTo(3);
        assertThat(guarded.out).isEqualTo(direct.out).startsWith("typed\n".getBytes(StandardCharsets.UTF_8));
        assertThat(guarded.err).isEqualTo(direct.err);
        assertThat(folder.resolve("advice")).content().contains("push -u origin topic");
    }

    @Test
    void run_oneStreamForBoth_keepsTheirOrder() throws Exception {
        script("mixed.sh", "i=0; while [ $i -lt 500 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done");
        Process direct =
                process(List.of("sh", "mixed.sh")).redirectErrorStream(true).start();
        direct.waitFor();
        byte[] expected = Files.readAllBytes(folder.resolve("out"));

        Process guarded = process(xmem("--store", "store", "run", "sh", "mixed.sh"))
                .redirectErrorStream(true)
                .start();

        assertThat(guarded.waitFor()).isZero();
        org.junit.jupiter.api.Assumptions.assumeTrue(
                Files.exists(Path.of("/proc/self/fd")), "the order is kept where /proc tells that the streams are one");
        assertThat(folder.resolve("out")).hasBinaryContent(expected);
    }

    @Test
    void run_signalAndMissingProgram_endAsUnderAShell() throws Exception {
        script("waits.sh", "trap 'echo stopped; exit 7' TERM\necho ready\nwhile :; do sleep 0.05; done\n");
        Process guarded =
                process(xmem("--store", "store", "run", "--", "sh", "waits.sh")).start();
        while (Files.size(folder.resolve("out")) == 0 && guarded.isAlive()) {
            Thread.sleep(10);
        }
        guarded.destroy();

        assertThat(guarded.waitFor()).isEqualTo(7);
        assertThat(folder.resolve("out")).content().isEqualTo("ready\nstopped\n");
        try (XMemStore memory = XMem.open(store)) {
            assertThat(memory.stats().failures())
                    .as("a program that was told to end is no failure")
                    .isEqualTo(1);
        }
        Ran missing = ran(xmem("--store", "store", "run", "--", "no-such-program-anywhere", "-x"), "");
        assertThat(missing.code).isEqualTo(127);
        assertThat(missing.errText()).contains("no-such-program-anywhere: command not found");
        Ran killed = ran(xmem("--store", "store", "run", "--", "sh", "-c", "kill -9 $$"), "");
        assertThat(killed.code).isEqualTo(137);
    }

    @Test
    void run_aProcessOutlivesTheProgram_isNotWaitedFor() throws Exception {
        Ran guarded = ran(xmem("--store", "store", "run", "--", "sh", "-c", "sleep 20 & echo $!; exit 4"), "");

        String pid = new String(guarded.out, StandardCharsets.UTF_8).strip();
        ProcessHandle left = ProcessHandle.of(Long.parseLong(pid)).orElse(null);
        assertThat(guarded.code).isEqualTo(4);
        assertThat(left).isNotNull();
        left.destroyForcibly();
    }

    @Test
    void run_aSlowReader_getsAll() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" | { sleep 3; wc -c; }", "sh"));
        command.addAll(xmem("--store", "store", "run", "--", "sh", "-c", "head -c 180000 /dev/zero"));

        Ran guarded = ran(command, "");

        assertThat(guarded.out).asString(StandardCharsets.UTF_8).isEqualToIgnoringWhitespace("180000");
    }

    @Test
    void run_adviceOrOutputCannotBeWritten_keepsTheCodeOfTheProgram() throws Exception {
        Ran guarded = ran(xmem("--store", "store", "run", "--tell", "none/advice", "--", "sh", "-c", "exit 5"), "");
        assertThat(guarded.code).isEqualTo(5);
        assertThat(guarded.errText()).contains("--tell: cannot write none/advice");
        try (XMemStore memory = XMem.open(store)) {
            assertThat(memory.stats().failures()).isEqualTo(2);
        }

        List<String> command = new ArrayList<>(List.of("sh", "-c", "{ \"$@\"; echo $? > code; } | true", "sh"));
        command.addAll(xmem("--store", "store", "run", "--", "sh", "-c", "echo lost; exit 6"));
        ran(command, "");
        assertThat(folder.resolve("code")).content().isEqualTo("6\n");
    }

    @Test
    void run_storeCannotBeOpened_runsAllTheSame() throws Exception {
        Files.writeString(folder.resolve("file"), "not a folder");

        Ran guarded = ran(xmem("--store", "file", "run", "--", "sh", "-c", "echo hello; exit 5"), "");

        assertThat(guarded.code).isEqualTo(5);
        assertThat(guarded.out).asString(StandardCharsets.UTF_8).isEqualTo("hello\n");
        assertThat(guarded.err).isEmpty();
    }

    @Test
    void run_noStore_keepsTheCodeOfTheProgramAndSaysSo() throws Exception {
        ProcessBuilder builder = process(xmem("run", "--", "sh", "-c", "echo hello; exit 5"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().remove("XDG_DATA_HOME");

        assertThat(builder.start().waitFor()).isEqualTo(5);
        assertThat(folder.resolve("out")).content().isEqualTo("hello\n");
        assertThat(folder.resolve("err")).content().startsWith("xmem: no store: give --store DIR");
    }
}
