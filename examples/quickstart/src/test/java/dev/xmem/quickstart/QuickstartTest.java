package dev.xmem.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the quickstart with the installed tools: every failure of Tuesday is recalled. */
class QuickstartTest {
    @TempDir
    Path store;

    @Test
    void run_toolsOfThisMachine_everyFailureIsRecalled() throws Exception {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();

        int code = Quickstart.run(store, new PrintStream(shown, true, StandardCharsets.UTF_8));

        String text = shown.toString(StandardCharsets.UTF_8);
        assertThat(text).contains("$ javac -d build/classes Order.java", "Give javac the jar that has the package");
        assertThat(text)
                .contains("$ java -cp build/classes org.shop.Server", "Build first, and point -cp at the folder");
        assertThat(text).doesNotContain("NOT RECALLED").containsPattern("recalled (\\d+) of \\1\n");
        assertThat(text.lines()).hasSizeLessThan(80);
        assertThat(code).as(text).isZero();
        assertThat(store.resolve("data/failures.jsonl")).exists();
    }
}
