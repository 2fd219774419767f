package dev.xmem.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Much input needs little memory. */
class BoundedMemoryTest {
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    /** Imports the transcripts of a folder into a store, in a process of its own: {@code FOLDER STORE}. */
    static final class Importing {
        private Importing() {}

        public static void main(String[] args) throws IOException {
            List<TranscriptFile> files = Transcripts.find(List.of(Path.of(args[0])), null, (file, reason) -> {});
            Path directory = Path.of(args[1]);
            try (XMemStore store = XMem.open(directory)) {
                ImportReport report = TranscriptImport.run(store, directory, files, null, count -> {});
                System.out.println(report.failures());
            }
        }
    }

    private String importWith(String heap, Path transcripts) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        heap,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Importing.class.getName(),
                        transcripts.toString(),
                        folder.resolve("store").toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + out.strip();
    }

    /** One line is longer than the heap, and one has a string that is too long; the others are read. */
    @Test
    void line_longerThanTheHeap_isSkipped() throws Exception {
        Path transcripts = folder.resolve("transcripts");
        long failures = GeneratedTranscripts.write(transcripts, MEGABYTE / 4, 3);
        Path first = transcripts.resolve("session-0.jsonl");
        byte[] part = ("\"" + "x".repeat(1000) + "\",").getBytes(StandardCharsets.UTF_8);
        try (var out = Files.newOutputStream(first, StandardOpenOption.APPEND)) {
            out.write("{\"type\":\"user\",\"sessionId\":\"s-0\",\"message\":{\"content\":["
                    .getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 90_000; i++) {
                out.write(part);
            }
            out.write("\"\"]}}\n{\"type\":\"user\",\"sessionId\":\"s-0\",\"x\":\"".getBytes(StandardCharsets.UTF_8));
            byte[] letters = new byte[1 << 16];
            Arrays.fill(letters, (byte) 'x');
            for (int i = 0; i < 1_600; i++) {
                out.write(letters);
            }
            out.write("\"}\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(importWith("-Xmx64m", transcripts)).isEqualTo("0: " + failures);
    }

    @Test
    @Tag("soak")
    void hundredMegabytes_needLittleMemory() throws Exception {
        Path transcripts = folder.resolve("transcripts");
        long failures = GeneratedTranscripts.write(transcripts, 100 * MEGABYTE, 1);
        assertThat(importWith("-Xmx128m", transcripts)).isEqualTo("0: " + failures);
    }
}
