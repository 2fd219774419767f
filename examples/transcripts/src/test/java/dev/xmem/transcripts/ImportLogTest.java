package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One import at a time, in a process and among processes. */
class ImportLogTest {
    /** Tries to open the log in another process. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] args) throws IOException {
            System.out.print(ImportLog.open(Path.of(args[0])) == null ? "refused" : "opened");
        }
    }

    private static String inAnotherProcess(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opener.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    /** On POSIX systems, closing any channel of a file releases the process's lock of it. */
    @Test
    void open_refusedInTheSameProcess_keepsTheLockAgainstOthers(@TempDir Path folder) throws Exception {
        try (ImportLog log = ImportLog.open(folder)) {
            assertThat(log).isNotNull();
            assertThat(ImportLog.open(folder)).isNull();

            assertThat(inAnotherProcess(folder)).isEqualTo("refused");
        }
        assertThat(inAnotherProcess(folder)).isEqualTo("opened");
    }
}
