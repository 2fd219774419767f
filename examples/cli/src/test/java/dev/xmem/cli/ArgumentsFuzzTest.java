package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands with changed arguments and input: each ends with a documented exit code and, if it failed, a reason. */
class ArgumentsFuzzTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(1_200)
    void arguments_changed_haveADocumentedEnd() throws Exception {
        run(1, 200, 3_600);
    }

    /** For as long as {@code -Dxmem.soak.fuzzSeconds} says: an hour without it. */
    @Test
    @Tag("soak")
    void arguments_changedForLong_haveADocumentedEnd() throws Exception {
        run(System.currentTimeMillis(), Long.MAX_VALUE / 4, Long.getLong("xmem.soak.fuzzSeconds", 3_600));
    }

    private void run(long first, long count, long seconds) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ArgumentsFuzz.class.getName(),
                String.valueOf(first),
                String.valueOf(count),
                String.valueOf(seconds));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(output);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
