package dev.xmem.core.base.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A large file that is read through a mapping, and what happens to it meanwhile. */
class NativeInputTest {
    private static final int CHUNK = NativeInput.CHUNK_BYTES;
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    @TempDir
    Path folder;

    private final Random random = new Random(7);

    /** A file of two chunks and a half, most of it a hole, with bytes other than zero in some places. */
    private Path file(String name) throws IOException {
        Path path = folder.resolve(name);
        try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
            out.setLength(2L * CHUNK + CHUNK / 2);
            for (long at : new long[] {0, CHUNK - 5000, 2L * CHUNK - 5000, 2L * CHUNK + CHUNK / 2 - 10_000}) {
                byte[] bytes = new byte[10_000];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) (1 + random.nextInt(200));
                }
                out.seek(at);
                out.write(bytes);
            }
        }
        return path;
    }

    private static void assertReadsAlike(NativeInput input, long at, int length) throws IOException {
        byte[] known = new byte[length + 2];
        byte[] read = new byte[length + 2];
        int count = input.read(at, read, 1, length);
        assertThat(input.readKnown(at, known, 1, length)).isEqualTo(count);
        int bytes = Math.max(0, count);
        assertThat(Arrays.copyOf(known, 1 + bytes)).isEqualTo(Arrays.copyOf(read, 1 + bytes));
    }

    @Test
    void readKnown_anywhere_isWhatReadReturns() throws IOException {
        Path path = file("log");
        try (NativeInput input = NativeInput.open(path)) {
            for (long at : new long[] {0, 100, 9_990, CHUNK - 5000, CHUNK - 10, CHUNK, 2L * CHUNK - 20, 2L * CHUNK}) {
                assertReadsAlike(input, at, 700);
            }
            assertReadsAlike(input, 2L * CHUNK + CHUNK / 2 - 300, 700);
            assertReadsAlike(input, 3L * CHUNK, 700);
            assertReadsAlike(input, 10, 0);
            if (Files.exists(MAPPINGS)) {
                assertThat(Files.readString(MAPPINGS)).contains(path.toString());
            }
        }
    }

    @Test
    void readKnown_fileReplacedAtItsPath_isThatOfTheOpenFile() throws IOException {
        Path path = file("log");
        try (NativeInput input = NativeInput.open(path)) {
            byte[] first = new byte[700];
            byte[] second = new byte[700];
            input.read(100, first, 0, 700);
            input.read(CHUNK + 100, second, 0, 700);
            assertThat(input.readKnown(100, new byte[700], 0, 700)).isEqualTo(700);
            Files.move(file("other"), path, StandardCopyOption.REPLACE_EXISTING);
            byte[] again = new byte[700];
            input.readKnown(100, again, 0, 700);
            assertThat(again).isEqualTo(first);
            input.readKnown(CHUNK + 100, again, 0, 700); // a chunk that is not mapped yet
            assertThat(again).isEqualTo(second);
        }
    }

    @Test
    void readKnown_fileCutByAnotherProgram_isWhatReadReturns() throws IOException {
        Path path = file("log");
        try (NativeInput input = NativeInput.open(path)) {
            assertReadsAlike(input, CHUNK - 5000, 700);
            assertReadsAlike(input, CHUNK + 100, 700);
            try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
                out.setLength(CHUNK - 4800);
            }
            assertReadsAlike(input, CHUNK - 5000, 700);
            assertReadsAlike(input, CHUNK - 400, 300);
            assertReadsAlike(input, CHUNK + 100, 700);
            assertReadsAlike(input, 100, 700);
        }
    }

    /** The first bytes of a line in a block may be few. */
    @Test
    void readKnown_fewBytesOfACutFile_isWhatReadReturns() throws IOException {
        Path path = file("log");
        try (NativeInput input = NativeInput.open(path)) {
            assertReadsAlike(input, CHUNK - 5000, 700);
            try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
                out.setLength(CHUNK / 2);
            }
            for (int length = 1; length < 100; length++) {
                assertReadsAlike(input, CHUNK - 5000, length);
            }
        }
    }

    @Test
    void readKnown_interruptedThread_readsAndStaysInterrupted() throws IOException {
        try (NativeInput input = NativeInput.open(file("log"))) {
            Thread.currentThread().interrupt();
            try {
                assertReadsAlike(input, 100, 700);
                assertReadsAlike(input, CHUNK + 100, 700);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void readKnown_afterClose_fails() throws IOException {
        NativeInput input = NativeInput.open(file("log"));
        input.readKnown(100, new byte[700], 0, 700);
        input.close();
        assertThatThrownBy(() -> input.readKnown(100, new byte[700], 0, 700)).isInstanceOf(IOException.class);
    }

    /** The end of a log is where the newest lines are. */
    @Test
    void readMapped_endOfAFileThatGrows_isMappedInSteps() throws IOException {
        Path path = file("log");
        long end = 2L * CHUNK + CHUNK / 2;
        int step = NativeInput.GROWTH_BYTES;
        try (NativeInput input = NativeInput.open(path);
                RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
            byte[] bytes = new byte[700];
            assertThat(input.readMapped(end - 700, bytes, 0, 700)).isTrue();
            out.setLength(end + step);
            writeBytes(out, end, step);
            assertThat(input.readMapped(end + 100, bytes, 0, 700))
                    .as("no step more was seen")
                    .isFalse();
            assertThat(input.readMapped(end + step - 700, bytes, 0, 700)).isTrue();
            assertThat(input.readMapped(end + 100, bytes, 0, 700)).isTrue();
            writeBytes(out, end + step, step - 1);
            assertThat(input.readMapped(end + step + 10, bytes, 0, 700))
                    .as("less than a step more")
                    .isFalse();
            writeBytes(out, end + 2L * step - 1, 10);
            assertThat(input.readMapped(end + 2L * step - 700, bytes, 0, 700)).isTrue();
            assertThat(input.readMapped(end + 2L * step - 699, bytes, 0, 700))
                    .as("not whole")
                    .isFalse();
            for (long at = end - 1000; at < end + 2L * step; at += 400) {
                assertReadsAlike(input, at, 700);
            }
        }
    }

    private void writeBytes(RandomAccessFile out, long at, int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (1 + random.nextInt(200));
        }
        out.seek(at);
        out.write(bytes);
    }

    @Test
    void readKnown_endCutByAnotherProgram_isWhatReadReturns() throws IOException {
        Path path = file("log");
        long end = 2L * CHUNK + CHUNK / 2;
        try (NativeInput input = NativeInput.open(path)) {
            assertReadsAlike(input, end - 900, 700);
            try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
                out.setLength(end - 500);
            }
            assertReadsAlike(input, end - 1400, 700);
            assertReadsAlike(input, end - 900, 700);
            assertReadsAlike(input, end - 300, 200);
        }
    }
}
