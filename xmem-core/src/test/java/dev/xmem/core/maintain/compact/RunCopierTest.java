package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReadStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Copies ranges that begin and end before, in and after one block. */
class RunCopierTest {
    private static final Path LOG = Path.of("/log.jsonl");
    private static final Path COPY = Path.of("/copy.jsonl");
    private static final int LINES = 9_000;

    private final InMemoryFileSystem disk = new InMemoryFileSystem();

    /** Where each line begins, and last the file's end. */
    private List<Integer> write(StringBuilder text) throws IOException {
        Random random = new Random(7);
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            starts.add(text.length());
            text.append(i % 1000 == 3 ? "l".repeat(300_000) : "x".repeat(random.nextInt(200)))
                    .append(i % 7 == 0 ? " \t\r\n" : "\n");
        }
        starts.add(text.length());
        disk.replace(LOG, text.toString().getBytes(StandardCharsets.ISO_8859_1));
        return starts;
    }

    private LogFile log() {
        return new LogFile(disk, LOG, 1 << 20, 1 << 20, new ByteCache(1 << 20), new ReadStats());
    }

    private String copied() throws IOException {
        FileSystem.Stat stat = disk.stat(COPY);
        byte[] bytes = new byte[stat == null ? 0 : (int) stat.length()];
        try (FileSystem.Input source = disk.open(COPY)) {
            source.read(0, bytes, 0, bytes.length);
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void copy_everyThirdLineLeftOut_givesTheOthers() throws IOException {
        StringBuilder text = new StringBuilder();
        List<Integer> starts = write(text);
        StringBuilder expected = new StringBuilder();
        try (FileSystem.Output out = disk.append(COPY)) {
            BufferedAppender buffered = new BufferedAppender(out);
            RunCopier runs = new RunCopier(log(), buffered);
            long at = 0;
            long copied = 0;
            for (int i = 0; i < LINES; i++) {
                if (i % 3 == 1) {
                    copied += runs.copy(at, starts.get(i));
                    at = runs.endOfLine(starts.get(i), text.length());
                    assertThat(at).isEqualTo(starts.get(i + 1).longValue());
                } else {
                    expected.append(text, starts.get(i), starts.get(i + 1));
                }
            }
            copied += runs.copy(at, text.length());
            buffered.flush();
            assertThat(copied).isEqualTo(expected.length());
        }
        assertThat(copied().equals(expected.toString())).isTrue();
    }

    @Test
    void copy_fileIsShorterThanWanted_saysHowMuchThereWas() throws IOException {
        StringBuilder text = new StringBuilder();
        write(text);
        try (FileSystem.Output out = disk.append(COPY)) {
            BufferedAppender buffered = new BufferedAppender(out);
            RunCopier runs = new RunCopier(log(), buffered);
            assertThat(runs.copy(5, text.length() + 1000L)).isEqualTo(text.length() - 5L);
            assertThat(runs.endOfLine(text.length(), text.length() + 9L)).isEqualTo(text.length() + 9L);
            buffered.flush();
        }
        assertThat(copied().equals(text.substring(5))).isTrue();
    }
}
