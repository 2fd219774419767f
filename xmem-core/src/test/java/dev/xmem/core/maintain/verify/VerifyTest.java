package dev.xmem.core.maintain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of damage is found, with its file and place; nothing is repaired. */
class VerifyTest {
    private static final String GOOD =
            "{\"id\":\"2026-01-01-001\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\",\"tool\":\"é\",\"error\":\"x\"}\n";
    private static final int GOOD_BYTES = GOOD.getBytes(StandardCharsets.UTF_8).length;

    @TempDir
    Path directory;

    private VerifyReport verify() {
        try (XMemStore store = Stores.in(directory)) {
            return store.verify();
        }
    }

    private void assertFound(String log, String text, long offset, String what) {
        Stores.appendRaw(directory, log, text);
        VerifyReport report = verify();
        assertThat(report.clean()).isFalse();
        assertThat(report.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding)
                        .startsWith(log + " at byte " + offset + ": ")
                        .contains(what));
    }

    @Test
    void verify_emptyStore_isClean() {
        VerifyReport report = verify();
        assertThat(report.clean()).isTrue();
        assertThat(report.findings()).isEmpty();
        assertThat(report.lines()).isZero();
    }

    @Test
    void verify_whatTheStoreWrote_isClean() {
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 20; i++) {
                store.recordFailure(Failure.of("git", "push", "x" + i).tags("é\"\\"));
                store.recordSuccess(Success.of("git", "y" + i));
                store.writeNote(Note.of("note", "z\n" + i));
            }
            assertThat(store.verify().findings()).isEmpty();
            assertThat(store.verify().lines()).isEqualTo(60);
        }
        assertThat(verify().clean()).isTrue();
    }

    @Test
    void verify_anotherStoreAppendsMeanwhile_isClean() throws Exception {
        try (XMemStore store = XMem.open(directory);
                XMemStore other = XMem.open(directory)) {
            store.recordFailure(Failure.of("git", "push", "x"));
            store.flush();
            AtomicBoolean done = new AtomicBoolean();
            Thread appends = new Thread(() -> {
                for (int i = 0; !done.get(); i++) {
                    other.recordFailure(Failure.of("git", "push", "y" + i));
                }
            });
            appends.start();
            try {
                for (int i = 0; i < 20; i++) {
                    VerifyReport report = store.verify();
                    assertThat(report.findings()).isEmpty();
                    assertThat(report.notices()).isEmpty();
                }
            } finally {
                done.set(true);
                appends.join();
            }
        }
    }

    @Test
    void verify_lineThatIsNoJson_isFoundAtItsPlace() {
        assertFound("failures.jsonl", GOOD + "{\"id\":oops}\n" + GOOD, GOOD_BYTES, "JSON");
    }

    @Test
    void verify_lineThatIsNoObject_isFound() {
        assertFound("notes.jsonl", "[1,2]\n", 0, "not a JSON object");
    }

    @Test
    void verify_tornTail_isFoundAndCalledSo() {
        assertFound("failures.jsonl", GOOD + "{\"id\":\"2026-01-0", GOOD_BYTES, "torn");
    }

    @Test
    void verify_tailWithoutALineEnd_isFineWhenItIsWhole() {
        Stores.appendRaw(directory, "failures.jsonl", GOOD.strip());
        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verify_sameIdWithAnotherContent_isFoundWithBothPlaces() {
        assertFound(
                "failures.jsonl",
                GOOD + GOOD.replace("\"x\"", "\"y\""),
                GOOD_BYTES,
                "2026-01-01-001 is also in failures.jsonl at byte 0");
    }

    @Test
    void verify_sameIdInAnotherLog_isFound() {
        Stores.appendRaw(directory, "failures.jsonl", GOOD);
        assertFound(
                "successes.jsonl",
                "{\"id\":\"2026-01-01-001\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_success\",\"tool\":\"a\",\"pattern_name\":\"b\"}\n",
                0,
                "is also in failures.jsonl at byte 0");
    }

    @Test
    void verify_sameLineTwice_isClean() {
        Stores.appendRaw(directory, "failures.jsonl", GOOD + GOOD);
        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verify_badOrMissingTime_isFound() {
        assertFound(
                "failures.jsonl", GOOD.replace("2026-01-01T00:00:00Z", "yesterday"), 0, "ts is missing or not a time");
    }

    /** What a store writes while a clock is not set is no damage. */
    @Test
    void verify_clockAtTheEpochOrBefore_isClean() {
        for (String clock : List.of("1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z")) {
            try (XMemStore store = XMem.builder(directory)
                    .clock(InstantSource.fixed(Instant.parse(clock)))
                    .open()) {
                store.recordFailure(Failure.of("git", "push", "x"));
                store.writeNote(Note.of("note", "x"));
            }
        }
        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verify_noteWithoutATime_isFound() {
        assertFound(
                "notes.jsonl",
                "{\"type\":\"note\",\"content\":\"no time at all\"}\n",
                0,
                "ts is missing or not a time");
    }

    @Test
    void verify_missingOrMalformedId_isFound() {
        assertFound("failures.jsonl", GOOD.replace("2026-01-01-001", "7"), 0, "YYYY-MM-DD-NNN");
    }

    @Test
    void verify_unknownType_isFound() {
        assertFound("failures.jsonl", GOOD.replace("tool_failure", "tool_dream"), 0, "tool_dream");
    }

    /** A user committed the log without resolving a merge: nothing of either side is lost, whatever is done next. */
    @Test
    void verify_conflictMarkersOfGit_namesThemAndBothSidesAreRead() throws IOException {
        Instant now = Instant.now();
        String ours = GOOD.replace("2026-01-01T00:00:00Z", now.toString()).replace("\"x\"", "\"ours\"");
        String base = ours.replace("-001", "-002").replace("ours", "base");
        String theirs = ours.replace("-001", "-003").replace("ours", "theirs");
        Stores.appendRaw(
                directory,
                "failures.jsonl",
                "<<<<<<< HEAD\r\n" + ours + "||||||| 1234567\n" + base + "=======\n" + theirs + ">>>>>>> origin/main");
        try (XMemStore store = XMem.builder(directory).open()) {
            assertThat(store.verify().findings())
                    .hasSize(4)
                    .allMatch(finding -> finding.contains("conflict marker of git") && finding.contains("compact"));
            store.recordFailure(Failure.of("npm", "install", "kumquat"));
            assertThat(store.compact(store.planCompaction(Retention.defaults())).quarantined())
                    .isEqualTo(4);
            assertThat(store.verify().findings()).isEmpty();
            for (String error : List.of("ours", "base", "theirs", "kumquat")) {
                assertThat(store.search(Query.words(error)).matches()).as(error).hasSize(1);
            }
        }
    }

    @Test
    void verify_lineBeyondTheLimit_isFound() {
        assertFound("notes.jsonl", "{\"content\":\"" + "x".repeat(2 << 20) + "\"}\n", 0, "longer than the limit");
    }

    @Test
    void verify_byteOrderMarkAndCarriageReturns_areFine() {
        Stores.appendRaw(directory, "failures.jsonl", "\uFEFF" + GOOD.replace("\n", "\r\n") + "\r\n");
        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verify_severalThings_areAllFoundInTheOrderOfTheFiles() {
        Stores.appendRaw(directory, "failures.jsonl", "a\n" + GOOD + "b\n");
        Stores.appendRaw(directory, "notes.jsonl", "c\n");
        assertThat(verify().findings())
                .extracting(finding -> finding.substring(0, finding.indexOf(':')))
                .containsExactly(
                        "failures.jsonl at byte 0",
                        "failures.jsonl at byte " + (2 + GOOD_BYTES),
                        "notes.jsonl at byte 0");
    }

    @Test
    void verify_manyFindings_areCounted_andTheFirstOfEachKindShown() {
        Stores.appendRaw(directory, "failures.jsonl", "{}\n".repeat(5_000) + "{\"oops\n".repeat(700));
        VerifyReport report = verify();
        assertThat(report.lines()).isEqualTo(5_700);
        assertThat(report.count()).isEqualTo(3 * 5_000 + 700);
        assertThat(report.findings())
                .hasSize(4 * 21)
                .startsWith("failures.jsonl at byte 0: ts is missing or not a time")
                .endsWith(
                        "680 more lines that are not entries are not shown",
                        "4980 more lines without a time, or with one that cannot be right are not shown",
                        "4980 more lines of an unknown type are not shown",
                        "4980 more lines with a missing or malformed id are not shown");
    }

    @Test
    void verify_longFinding_isCut() {
        Stores.appendRaw(directory, "failures.jsonl", GOOD.replace("tool_failure", "x".repeat(200_000)));
        assertThat(verify().findings()).singleElement().asString().hasSize(501).endsWith("…");
    }

    @Test
    void verify_readOnly_changesNoFile() {
        try (XMemStore store = Stores.in(directory)) {
            store.recordFailure(Failure.of("git", "push", "x"));
        }
        Stores.appendRaw(directory, "failures.jsonl", "{\"torn");
        Map<String, String> before = files();
        try (XMemStore store = XMem.builder(directory).readOnly().open()) {
            assertThat(store.verify().findings()).hasSize(1);
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void verify_damagedLog_leavesItAsItIs() throws IOException {
        String damaged = "oops\n" + GOOD + GOOD.replace("\"x\"", "\"y\"") + "{\"torn";
        Stores.appendRaw(directory, "failures.jsonl", damaged);
        assertThat(verify().findings()).hasSize(3);
        assertThat(Files.readString(directory.resolve("data/failures.jsonl"))).isEqualTo(damaged);
    }

    private Map<String, String> files() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(Path::toString, this::content, (a, b) -> a, TreeMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String content(Path file) {
        try {
            return Files.getLastModifiedTime(file) + Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
