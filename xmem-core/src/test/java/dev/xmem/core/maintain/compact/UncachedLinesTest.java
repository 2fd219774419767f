package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UncachedLinesTest {
    private static final List<String> LINES = List.of(line(1), line(2), line(3), line(4), line(5));

    private static String line(int number) {
        return "{\"id\":\"2026-02-14-00%d\",\"ts\":\"2026-02-14T09:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"t\"}"
                .formatted(number);
    }

    @Test
    void readsLinesAndTellsWhetherOnlyLineEndsAreBetween(@TempDir Path directory) throws IOException {
        Path log = Files.createDirectories(directory.resolve("data")).resolve("failures.jsonl");
        List<String> ends = List.of("\n", "\r\n", " \n\n", "\nbroken\n", " ".repeat(16) + "\n");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ends.size(); i++) {
            text.append(LINES.get(i)).append(ends.get(i));
        }
        Files.writeString(log, text);
        try (XMemStore store = XMem.open(directory)) {
            LogIndex index = TestStores.registry(store).whole().logs().get(0).index();
            UncachedLines lines = new UncachedLines(index);

            assertThat(index.count()).isEqualTo(LINES.size());
            for (int i = 0; i < LINES.size(); i++) {
                assertThat(new String(lines.line(i), StandardCharsets.UTF_8)).isEqualTo(LINES.get(i));
            }
            assertThat(isLineEnd(index, lines, 0)).as("newline").isTrue();
            assertThat(isLineEnd(index, lines, 1)).as("return and newline").isTrue();
            assertThat(isLineEnd(index, lines, 2)).as("blanks").isTrue();
            assertThat(isLineEnd(index, lines, 3)).as("another line").isFalse();
            assertThat(isLineEnd(index, lines, 4)).as("more than is looked at").isFalse();
            assertThat(lines.isLineEnd(10, 10)).as("nothing").isFalse();
        }
    }

    @Test
    void repeatedIds_lineBehindTheCount_repeatsTheIdOfOneBelow(@TempDir Path directory) throws IOException {
        Path log = Files.createDirectories(directory.resolve("data")).resolve("failures.jsonl");
        Files.writeString(
                log, LINES.get(0) + '\n' + LINES.get(1) + '\n' + LINES.get(0).replace("\"t\"", "\"u\"") + '\n');
        try (XMemStore store = XMem.open(directory)) {
            LogSnapshot view = TestStores.registry(store).whole().logs().get(0);

            assertThat(view.upTo(2).repeatedIds(List.of(view.index())).stream()).containsExactly(0);
            assertThat(view.repeatedIds(List.of(view.index())).stream()).containsExactly(0, 2);
        }
    }

    private static boolean isLineEnd(LogIndex index, UncachedLines lines, int ordinal) throws IOException {
        long end = index.lines().offset(ordinal) + index.lines().length(ordinal);
        long next = ordinal + 1 < index.count()
                ? index.lines().offset(ordinal + 1)
                : index.file().length();
        return lines.isLineEnd(end, next);
    }
}
