package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many lines that a store reads for the first time are sealed at once, though they do not fill a segment. */
class FirstReadingTest {
    private static final int LINES = 5000;

    @TempDir
    Path folder;

    private static String line(int number) {
        return "{\"id\":\"2026-01-01-" + (10_000 + number) + "\",\"ts\":\"2026-01-01T00:00:00Z\","
                + "\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push branch" + number % 97 + "\","
                + "\"error\":\"fatal: quota " + number % 13 + " of disk" + number % 7 + " exceeded\"}\n";
    }

    private Path write(String name, int lines) throws IOException {
        Path root = folder.resolve(name);
        Files.createDirectories(root.resolve("data"));
        for (int from = 0; from < lines; from += LINES) {
            StringBuilder all = new StringBuilder();
            for (int i = from; i < Math.min(lines, from + LINES); i++) {
                all.append(line(i));
            }
            append(root, all.toString());
        }
        return root;
    }

    private static void append(Path root, String lines) throws IOException {
        Path log = root.resolve("data/failures.jsonl");
        Files.writeString(log, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static long files(Path root, String ending) throws IOException {
        Path index = root.resolve(".xmem/index");
        if (!Files.isDirectory(index)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(index)) {
            return all.filter(file -> file.toString().endsWith(ending)).count();
        }
    }

    private static List<String> ids(XMemStore store, Query query) {
        return store.search(query).matches().stream()
                .map(Match::entry)
                .map(entry -> entry.id())
                .toList();
    }

    @Test
    void open_manyLinesOfAnotherProgram_sealsThemAndFindsWhatIsReadInMemory() throws IOException {
        Path root = write("sealed", LINES);
        List<Query> queries = List.of(
                Query.words("branch5 quota 3"),
                Query.words("disk6 exceeded branch96"),
                Query.literal("branch42\""),
                Query.all().tool("git").limit(70));
        try (XMemStore inMemory =
                        XMem.builder(write("memory", LINES)).readOnly().open();
                XMemStore sealed = XMem.open(root)) {
            assertThat(files(folder.resolve("memory"), ".facts")).isZero();
            assertThat(files(root, ".facts")).isEqualTo(1);
            for (Query query : queries) {
                assertThat(sealed.search(query).text())
                        .isEqualTo(inMemory.search(query).text());
            }
            assertThat(files(root, ".text")).isEqualTo(1);
        }
    }

    @Test
    void append_behindLinesThatWereSealedWhenRead_isFoundBesideThem() throws IOException {
        Path root = write("store", LINES);
        String own;
        try (XMemStore store = XMem.open(root)) {
            own = store.recordFailure(Failure.of("git", "push branch5", "fatal: zork exceeded"))
                    .id();
            append(root, line(LINES) + line(3)); // the second is in the sealed lines
            assertThat(ids(store, Query.words("zork"))).containsExactly(own);
            assertThat(store.search(Query.all().limit(1)).total()).isEqualTo(LINES + 2);
            assertThat(store.find("2026-01-01-" + (10_000 + LINES))).isPresent();
            assertThat(store.find("2026-01-01-10003")).isPresent();
        }
        assertThat(files(root, ".facts")).isEqualTo(1);
        try (XMemStore again = XMem.open(root)) {
            assertThat(ids(again, Query.words("zork"))).containsExactly(own);
            assertThat(again.search(Query.all().limit(1)).total()).isEqualTo(LINES + 2);
            assertThat(again.verify().findings()).isEmpty();
        }
    }

    @Test
    void open_fewLines_leavesThemInMemory() throws IOException {
        Path root = write("few", 1000);
        try (XMemStore store = XMem.open(root)) {
            assertThat(ids(store, Query.words("branch5 quota 3"))).isNotEmpty();
            assertThat(files(root, ".facts")).isZero();
        }
    }
}
