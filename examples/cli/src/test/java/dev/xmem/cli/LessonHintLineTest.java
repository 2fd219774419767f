package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.LessonHints;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command that a hook names to note a lesson is one that works as it is written. */
class LessonHintLineTest {
    private static final ToolCall CALL = ToolCall.shell("git push");
    private static final ToolError ERROR = ToolError.exit(1, "fatal: The current branch topic has no upstream branch.");

    @TempDir
    Path folder;

    /** The arguments that a shell gives to the program. */
    private static String[] arguments(String line) throws Exception {
        String script = "xmem() { for word; do printf '%s\\0' \"$word\"; done; }\n" + line;
        Process shell =
                new ProcessBuilder("sh", "-c", script).redirectErrorStream(true).start();
        String words = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(words).isZero();
        return words.split("\0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "a store", "it's $HOME"})
    void hint_ofAHook_isACommandThatRecordsTheLesson(String name) throws Exception {
        Path directory = folder.resolve(name);
        String id;
        try (XMemStore store = XMem.open(directory)) {
            id = store.recordFailure(Failure.of(CALL, ERROR)).id();
        }
        String hint = LessonHints.byShell(directory, "git", id);
        Xmem run = Xmem.run(arguments(hint.substring(hint.indexOf("xmem --store"))));

        assertThat(run.code()).as(run.err() + run.out()).isZero();
        try (XMemStore store = XMem.open(directory)) {
            Advice advice = store.recall(CALL, ERROR);
            assertThat(advice.text()).contains("worked: what helped");
        }
    }
}
