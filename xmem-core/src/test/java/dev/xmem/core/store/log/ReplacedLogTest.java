package dev.xmem.core.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that another program replaces, truncates or edits while the store is open. */
class ReplacedLogTest {
    private static final String FOREIGN = "{\"id\":\"2026-02-14-%03d\",\"ts\":\"2026-02-14T16:30:00Z\","
            + "\"type\":\"tool_failure\",\"tool\":\"rclone\",\"error\":\"foreign %d\",\"ctx_hash\":\"rclone-sync-x\"}\n";

    @TempDir
    Path directory;

    private XMemStore store;
    private Path log;

    @BeforeEach
    void open() {
        store = XMem.open(directory);
        log = directory.resolve("data/failures.jsonl");
        for (int i = 0; i < 5; i++) {
            record("own " + i);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Failure record(String error) {
        return store.recordFailure(Failure.of("git", "push", error));
    }

    private List<String> errors(XMemStore of) {
        return of.search(Query.all().kind(Entry.Kind.FAILURE)).matches().stream()
                .map(match -> ((Failure) match.entry()).error())
                .sorted()
                .toList();
    }

    private static String foreign(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append(FOREIGN.formatted(i, i));
        }
        return lines.toString();
    }

    private void isNow(String... expected) throws IOException {
        assertThat(errors(store)).containsExactly(expected);
        Failure after = record("zz after");
        assertThat(store.find(after.id())).contains(after);
        assertThat(Files.readString(log)).endsWith(after.json() + "\n");
        assertThat(errors(store)).hasSize(expected.length + 1).endsWith("zz after");
        try (XMemStore again = XMem.open(directory)) {
            assertThat(errors(again)).isEqualTo(errors(store));
        }
    }

    private void rewrite(String content) throws IOException {
        Files.writeString(log, content, StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void replace(String content) throws IOException {
        Files.move(Files.writeString(directory.resolve("other"), content), log, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void log_anotherFileIsRenamedOverIt_answersFromTheNewOne() throws IOException {
        replace(foreign(1, 3));
        isNow("foreign 1", "foreign 2");
    }

    @Test
    void log_aLongerFileWithTheSameBeginningIsRenamedOverIt_answersFromTheNewOne() throws IOException {
        replace(Files.readString(log) + foreign(1, 2));
        isNow("foreign 1", "own 0", "own 1", "own 2", "own 3", "own 4");
    }

    @Test
    void log_isRenamedOverWithoutAQueryInBetween_appendsToTheNewOne() throws IOException {
        replace(foreign(1, 3));
        Failure after = record("after");
        assertThat(Files.readString(log)).isEqualTo(foreign(1, 3) + after.json() + "\n");
    }

    @Test
    void log_isDeleted_isEmptyAndCreatedAgain() throws IOException {
        Files.delete(log);
        isNow();
    }

    @Test
    void log_isTruncatedToNothing_isEmpty() throws IOException {
        rewrite("");
        isNow();
    }

    @Test
    void log_isTruncatedInALine_keepsTheCompleteLines() throws IOException {
        String own = Files.readString(log);
        rewrite(own.substring(0, own.length() - 40));
        isNow("own 0", "own 1", "own 2", "own 3");
    }

    @Test
    void log_isTruncatedAndRewrittenLonger_answersFromTheNewContent() throws IOException {
        rewrite(foreign(1, 40));
        assertThat(errors(store)).hasSize(39).doesNotContain("own 0");
        Failure after = record("after");
        assertThat(store.find(after.id())).contains(after);
        assertThat(Files.readString(log)).isEqualTo(foreign(1, 40) + after.json() + "\n");
    }

    @Test
    void log_itsLastLineIsEditedAndItGrows_answersFromTheNewContent() throws IOException {
        rewrite(Files.readString(log).replace("own 4", "own 4, edited"));
        isNow("own 0", "own 1", "own 2", "own 3", "own 4, edited");
    }

    @Test
    void log_itsFirstLineIsEditedAndItGrows_answersFromTheNewContent() throws IOException {
        rewrite(Files.readString(log).replace("own 0", "own 0, edited"));
        isNow("own 0, edited", "own 1", "own 2", "own 3", "own 4");
    }

    @Test
    void log_linesAreInsertedBeforeItsOwn_answersFromTheNewContent() throws IOException {
        rewrite(foreign(1, 3) + Files.readString(log));
        isNow("foreign 1", "foreign 2", "own 0", "own 1", "own 2", "own 3", "own 4");
    }

    @Test
    void log_itsUnendedLineContinues_isReadAgain() throws IOException {
        Files.writeString(log, FOREIGN.formatted(7, 7).stripTrailing(), StandardOpenOption.APPEND);
        assertThat(errors(store)).contains("foreign 7");
        Files.writeString(log, " and more\n" + foreign(8, 9), StandardOpenOption.APPEND);
        isNow("foreign 8", "own 0", "own 1", "own 2", "own 3", "own 4");
    }

    @Test
    void log_itsTornLineIsCompletedByItsWriter_isFound() throws IOException {
        String line = FOREIGN.formatted(7, 7);
        Files.writeString(log, line.substring(0, 50), StandardOpenOption.APPEND);
        assertThat(errors(store)).hasSize(5);
        Files.writeString(log, line.substring(50), StandardOpenOption.APPEND);
        isNow("foreign 7", "own 0", "own 1", "own 2", "own 3", "own 4");
        assertThat(store.stats().malformedLines()).isZero();
    }

    @Test
    void log_isReplacedAgainAndAgain_losesNothingThatWasAcknowledgedAfterwards() throws IOException {
        for (int i = 0; i < 50; i++) {
            replace(Files.readString(log) + FOREIGN.formatted(100 + i, i));
            record("more " + i);
        }
        assertThat(store.stats().failures()).isEqualTo(105);
    }
}
