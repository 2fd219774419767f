package dev.xmem.core.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** The lines of a file, against a split of the whole text. */
class LineReaderPropertyTest {
    private static final Path FILE = Path.of("/log");
    private static final int LINE_BYTES = 20;

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                        Arbitraries.of("\n", "\r\n", "\r", " ", "\t", "\n\n"),
                        Arbitraries.strings().withChars("abc").ofMaxLength(LINE_BYTES + 4),
                        Arbitraries.strings().withChars("xyz").ofMaxLength(3 * LINE_BYTES))
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
    }

    /** Collects the offset and text of each line, and the offset of each that is too long. */
    private static final class Seen implements LineSink {
        final List<String> lines = new ArrayList<>();

        @Override
        public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
            lines.add(offset + ":" + new String(buffer, start, length, StandardCharsets.UTF_8));
            return true;
        }

        @Override
        public void malformed(long offset, long length, String reason) {
            lines.add(offset + ": too long");
        }
    }

    private static List<String> expected(String text) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            String line = text.substring(at, end < 0 ? text.length() : end);
            String bare = line.replaceAll("[\r \t]+$", "");
            if (line.length() > LINE_BYTES + 1 || bare.length() > LINE_BYTES) {
                lines.add(end < 0 ? "" : at + ": too long");
            } else if (!bare.isEmpty()) {
                lines.add(at + ":" + bare);
            }
            at = end < 0 ? text.length() : end + 1;
        }
        return lines.stream().filter(line -> !line.isEmpty()).collect(Collectors.toList());
    }

    @Property(tries = 1000, shrinking = ShrinkingMode.BOUNDED)
    void read_anyText_returnsTheLinesOfASplit(@ForAll("texts") String text) throws IOException {
        InMemoryFileSystem disk = new InMemoryFileSystem();
        disk.replace(FILE, text.getBytes(StandardCharsets.UTF_8));
        Seen seen = new Seen();
        LogFile.readAll(disk, FILE, LINE_BYTES, seen);
        assertThat(seen.lines).isEqualTo(expected(text));
    }

    @Property(tries = 500, shrinking = ShrinkingMode.BOUNDED)
    void refresh_inAnySteps_returnsTheSameLines(
            @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 30) int step) throws IOException {
        InMemoryFileSystem disk = new InMemoryFileSystem();
        Seen seen = new Seen();
        String whole = text + "\n";
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
        LogFile log = new LogFile(disk, FILE, LINE_BYTES, 1 << 20, new ByteCache(1 << 20), new ReadStats());
        LineSink onlyEnded = new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                return ended && seen.line(offset, buffer, start, length, true);
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                seen.malformed(offset, length, reason);
            }
        };
        try (FileSystem.Output out = disk.append(FILE)) {
            for (int at = 0; at < bytes.length; at += step) {
                out.write(bytes, at, Math.min(step, bytes.length - at));
                assertThat(log.refresh(onlyEnded)).isEqualTo(LogFile.Change.GREW);
            }
        }
        assertThat(seen.lines.stream().distinct()).isEqualTo(expected(whole));
        assertThat(log.read(0, bytes.length)).isEqualTo(bytes);
    }

    @Property(tries = 30, shrinking = ShrinkingMode.OFF)
    void read_farBeforeTheTailWindow_returnsTheBytesOfTheFile(@ForAll @IntRange(min = 1, max = 200_000) int lineLength)
            throws IOException {
        InMemoryFileSystem disk = new InMemoryFileSystem();
        LogFile log =
                new LogFile(disk, FILE, 1 << 20, 2 * BlockCache.BLOCK_BYTES, new ByteCache(1 << 20), new ReadStats());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Seen seen = new Seen();
        for (int i = 0; all.size() < 8 * BlockCache.BLOCK_BYTES && i < 2000; i++) {
            byte[] line = ("\n" + String.valueOf(i % 10).repeat(lineLength) + "\n").getBytes(StandardCharsets.UTF_8);
            long at = log.append(line, 0, line.length, seen);
            assertThat(at).isEqualTo(all.size());
            all.write(line, 1, line.length - 1);
        }
        byte[] expected = all.toByteArray();
        for (int from = 0; from < expected.length; from += 1 + expected.length / 7) {
            int length = Math.min(100_000, expected.length - from);
            assertThat(log.read(from, length)).isEqualTo(Arrays.copyOfRange(expected, from, from + length));
        }
        assertThat(seen.lines).isEmpty();
    }
}
