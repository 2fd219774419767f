package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Input as real producers send it. */
class InputLinesTest {
    @Test
    void lines_byteOrderMarkCarriageReturnsBlanksNoLastNewline_areHandled() throws IOException {
        assertThat(all("\uFEFFa\r\n\r\n  \nb\n\nc")).containsExactly("1 a", "4 b", "6 c");
        assertThat(all("")).isEmpty();
        assertThat(all("\n\r\n")).isEmpty();
        assertThat(all("\uFEFF")).isEmpty();
    }

    @Test
    void lines_notUtf8_reportByteOffset() throws IOException {
        byte[] input = "ok\nab?\n\uFFFD\n".getBytes(StandardCharsets.UTF_8);
        input[5] = (byte) 0xFF;

        assertThat(all(new ByteArrayInputStream(input)))
                .containsExactly("1 ok", "2 the line is not UTF-8 at byte 2", "3 \uFFFD");
    }

    @Test
    void lines_longerThanAnyBuffer_areWhole() throws IOException {
        String big = "x".repeat(3 << 20);

        assertThat(all("a\n" + big + "\nb")).containsExactly("1 a", "2 " + big, "3 b");
    }

    @Test
    void lines_tooLong_areReportedAndReadingContinues() throws IOException {
        byte[] big = new byte[InputLines.MAX_BYTES + (1 << 20)];
        Arrays.fill(big, (byte) 'x');
        InputStream input = new SequenceInputStream(new ByteArrayInputStream(big), stream("\nb"));

        assertThat(all(input)).containsExactly("1 the line is longer than 67108864 bytes", "2 b");
    }

    @Test
    void ready_partialLine_isFalse() throws IOException {
        InputLines lines = new InputLines(stream("a\nb\nhalf"));

        lines.next();
        assertThat(lines.ready()).isTrue();
        lines.next();
        assertThat(lines.ready()).isFalse();
    }

    private static List<String> all(String input) throws IOException {
        return all(stream(input));
    }

    private static List<String> all(InputStream input) throws IOException {
        InputLines lines = new InputLines(input);
        List<String> all = new ArrayList<>();
        for (InputLines.@Nullable Line line = lines.next(); line != null; line = lines.next()) {
            all.add(line.number() + " " + (line.problem() == null ? line.text() : line.problem()));
        }
        return all;
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
