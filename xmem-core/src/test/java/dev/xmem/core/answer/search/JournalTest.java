package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.Note;
import dev.xmem.Query;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal: which lines are written to it, and which of its newest lines a scan returns. */
class JournalTest extends JournalFixture {
    private static final int WIDEST = 1_000_000;

    /** A journal of a number of lines with hits at these positions, where 1 is the newest line. */
    private void journalOf(int lines, Integer... hits) {
        StringBuilder text = new StringBuilder();
        List<Integer> places = List.of(hits);
        for (int i = lines; i > 0; i--) {
            text.append(note(places.contains(i) ? "hit " + i : "other")).append('\n');
        }
        write(text.toString());
    }

    private static List<Integer> hits(ScanResult result) {
        return result.results().stream()
                .map(line -> Integer.valueOf(
                        Json.object(line).get("content").toString().substring(4)))
                .toList();
    }

    @Nested
    class Writing {
        @Test
        void writeNote_withoutMore_isTheRecipesLine() throws IOException {
            try (XMemStore store = open()) {
                store.writeNote(Note.of("note", "User prefers \"Python\"\n日本語 👍"));
            }
            assertThat(Files.readString(journal()))
                    .isEqualTo("{\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"note\","
                            + "\"content\":\"User prefers \\\"Python\\\"\\n日本語 👍\",\"tags\":null,\"meta\":null}\n");
        }

        @Test
        void writeNote_withTagsAndMeta_keepsThem() throws IOException {
            try (XMemStore store = open()) {
                store.writeNote(Note.of("fact", "x").tags("a", "b").meta("{\"k\": [1, {\"n\": null}], \"f\": 1.50}"));
            }
            assertThat(Files.readString(journal()))
                    .isEqualTo("{\"ts\":\"2026-02-14T16:30:00Z\",\"type\":\"fact\",\"content\":\"x\","
                            + "\"tags\":[\"a\",\"b\"],\"meta\":{\"k\":[1,{\"n\":null}],\"f\":1.50}}\n");
        }

        @Test
        void writeNote_sameTwice_isTwoLinesAndTwoResults() {
            try (XMemStore store = open()) {
                store.writeNote(Note.of("note", "same"));
                store.writeNote(Note.of("note", "same"));
                assertThat(store.scan(Scan.of("same")).results()).hasSize(2);
            }
        }

        @Test
        void writeNote_afterATornLine_beginsALineOfItsOwn() throws IOException {
            write(note("whole") + "\n{\"ts\":\"2026");
            try (XMemStore store = open()) {
                store.writeNote(Note.of("note", "after"));
                assertThat(store.scan(Scan.of("e")).results()).hasSize(2);
            }
            assertThat(Files.readAllLines(journal())).hasSize(3).element(1).isEqualTo("{\"ts\":\"2026");
        }

        @Test
        void writeNote_afterALineWithoutItsEnd_keepsBoth() {
            write(note("no end"));
            try (XMemStore store = open()) {
                store.writeNote(Note.of("note", "after"));
                assertThat(store.scan(Scan.of("n")).results()).hasSize(2);
                assertThat(store.search(Query.all().kind(Entry.Kind.NOTE)).total())
                        .isEqualTo(2);
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {"''|x|type", "'  '|x|type"})
        void writeNote_withoutType_isRefused(String type, String content, String field) {
            try (XMemStore store = open()) {
                assertThatThrownBy(() -> store.writeNote(Note.of(type, content)))
                        .isInstanceOfSatisfying(
                                XMemException.Invalid.class,
                                e -> assertThat(e.field()).isEqualTo(field));
            }
        }
    }

    @Nested
    class Window {
        @Test
        void scan_noFile_isNothing() {
            assertThat(scan(Scan.of("x"))).isEqualTo(new ScanResult(List.of(), false, 50_000));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "\n", "\n\n\n", "x", "{", "{}\n{}\n"})
        void scan_nothingInTheFile_isNothing(String text) {
            write(text);
            assertThat(scan(Scan.of("x").windowLines(1)).results()).isEmpty();
            assertThat(scan(Scan.of("x")).truncated()).isFalse();
        }

        @Test
        void scan_hits_areTheLinesNewestFirst() {
            notes("a hit", "other", "b hit");
            write("  " + note("c hit") + " \r\n");
            assertThat(scan(Scan.of("hit")))
                    .isEqualTo(new ScanResult(List.of(note("c hit"), note("b hit"), note("a hit")), false, 50_000));
        }

        @ParameterizedTest
        @CsvSource({
            // lines, limit, first window: used window
            "100, 1, 1, 4",
            "100, 2, 1, 16",
            "100, 3, 1, 64",
            "100, 3, 10, 40",
            "100, 3, 40, 40",
            "100, 4, 10, 160",
            "100, 4, 100, 100",
            "100, 4, 99, 396",
            "100, 4, 50000, 50000",
            "30, 3, 10, 40",
        })
        void scan_tooFewResults_widensFourfold(int lines, int limit, int window, int used) {
            journalOf(lines, 3, 9, 24);
            ScanResult result = scan(Scan.of("hit").limit(limit).windowLines(window));
            assertThat(result.usedWindowLines()).isEqualTo(used);
            assertThat(hits(result)).containsExactlyElementsOf(List.of(3, 9, 24).subList(0, Math.min(limit, 3)));
            assertThat(result.truncated()).isEqualTo(limit < 3);
        }

        @Test
        void scan_emptyAndBrokenLines_countAsLinesOfTheWindow() {
            notes("hit 1");
            write("\n\nnot json\n");
            notes("other");
            assertThat(scan(Scan.of("hit").windowLines(4)).usedWindowLines()).isEqualTo(16);
            assertThat(scan(Scan.of("hit").windowLines(5)).usedWindowLines()).isEqualTo(5);
        }

        @Test
        void scan_lastLineWithoutItsEnd_isFound() {
            notes("hit 2");
            write(note("hit 1"));
            assertThat(hits(scan(Scan.of("hit")))).containsExactly(1, 2);
            assertThat(hits(scan(Scan.of("hit").windowLines(1).limit(1)))).containsExactly(1);
        }

        @Test
        void scan_linesAppendedByAnotherProcess_areSeenAtTheNextCall() {
            notes("hit 1");
            try (XMemStore store = open()) {
                assertThat(hits(store.scan(Scan.of("hit")))).containsExactly(1);
                notes("hit 2");
                assertThat(hits(store.scan(Scan.of("hit")))).containsExactly(2, 1);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {65_535, 65_536, 65_537, 131_072, 200_000})
        void scan_linesAcrossBlockBoundaries_areFound(int length) {
            int padding = length - note("hit 1").length();
            for (int i = 5; i > 0; i--) {
                String json = note("hit " + i);
                write(json.substring(0, json.length() - 1) + " ".repeat(padding) + "}\n");
                write("\n");
            }
            assertThat(hits(scan(Scan.of("hit")))).containsExactly(1, 2, 3, 4, 5);
        }

        @Test
        void scan_filesOfEveryLengthAroundABlock_areReadWhole() throws IOException {
            String last = note("hit 1");
            for (int length = 65_536 - 3; length <= 65_536 + 3; length++) {
                String filler = "x".repeat(length - last.length() - 1);
                Files.writeString(journal(), filler + "\n" + last);
                assertThat(hits(scan(Scan.of("hit").windowLines(1))))
                        .as("length %d", length)
                        .containsExactly(1);
                Files.writeString(journal(), last + "\n" + filler);
                assertThat(hits(scan(Scan.of("hit")))).as("length %d", length).containsExactly(1);
            }
        }

        @Test
        void scan_linesLongerThanTheLimit_areIgnoredAndCounted() {
            notes("hit 3", "hit " + "2".repeat(2000));
            notes("hit 1");
            try (XMemStore store = XMem.builder(folder.resolve("store"))
                    .log(Entry.Kind.NOTE, journal())
                    .limits(Limits.defaults().lineBytes(1000))
                    .open()) {
                assertThat(hits(store.scan(Scan.of("hit")))).containsExactly(1, 3);
                assertThat(store.scan(Scan.of("3").windowLines(2)).usedWindowLines())
                        .isEqualTo(8);
                assertThat(store.stats().malformedLines()).isEqualTo(1);
            }
        }
    }

    @Nested
    class Truncated {
        @Test
        void scan_asManyAsTheLimit_isNotTruncated() {
            journalOf(20, 1, 10, 20);
            assertThat(scan(Scan.of("hit").limit(3)).truncated()).isFalse();
            assertThat(scan(Scan.of("hit").limit(3).windowLines(1)).truncated()).isFalse();
        }

        @Test
        void scan_oneMoreInTheWindow_isTruncated() {
            journalOf(20, 1, 10, 20);
            ScanResult result = scan(Scan.of("hit").limit(2));
            assertThat(hits(result)).containsExactly(1, 10);
            assertThat(result.truncated()).isTrue();
        }

        @Test
        void scan_oneMoreBeyondTheWindow_isTruncated() {
            journalOf(200, 1, 2, 200);
            ScanResult result = scan(Scan.of("hit").limit(2).windowLines(2));
            assertThat(hits(result)).containsExactly(1, 2);
            assertThat(result.usedWindowLines()).isEqualTo(2);
            assertThat(result.truncated()).isTrue();
        }

        @Test
        void scan_noneMoreBeyondTheWindow_isNotTruncated() {
            journalOf(200, 1, 2);
            assertThat(scan(Scan.of("hit").limit(2).windowLines(2)).truncated()).isFalse();
        }

        @Test
        void scan_moreThanTheLargestWindow_isTruncatedWhereResultsAreTooFew() {
            write(note("hit 9") + "\n" + "\n".repeat(WIDEST - 1) + note("hit 1") + "\n");
            ScanResult result = scan(Scan.of("hit").windowLines(300_000));
            assertThat(hits(result)).containsExactly(1);
            assertThat(result.usedWindowLines()).isEqualTo(WIDEST);
            assertThat(result.truncated()).isTrue();
        }

        @Test
        void scan_exactlyTheLargestWindow_isNotTruncated() {
            write(note("hit 9") + "\n" + "\n".repeat(WIDEST - 2) + note("hit 1") + "\n");
            ScanResult result = scan(Scan.of("hit").windowLines(WIDEST));
            assertThat(hits(result)).containsExactly(1, 9);
            assertThat(result).isEqualTo(new ScanResult(result.results(), false, WIDEST));
        }
    }

    @Nested
    class Arguments {
        @ParameterizedTest
        @ValueSource(ints = {0, -1, 201})
        void limit_outOfBounds_isAMistake(int limit) {
            assertThatThrownBy(() -> Scan.of("x").limit(limit)).isInstanceOf(IllegalArgumentException.class);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, WIDEST + 1})
        void windowLines_outOfBounds_isAMistake(int lines) {
            assertThatThrownBy(() -> Scan.of("x").windowLines(lines)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void of_defaults_areThoseOfTheProtocol() {
            Scan scan = Scan.of("x");
            assertThat(List.of(scan.q(), scan.limit(), scan.windowLines(), scan.mode()))
                    .isEqualTo(new ArrayList<Object>(List.of("x", 20, 50_000, Scan.Mode.HYBRID)));
        }
    }

    @Test
    void scan_withoutTheRightToWrite_readsAndChangesNothing() throws IOException {
        notes("hit 1");
        byte[] before = Files.readAllBytes(journal());
        try (XMemStore store = XMem.builder(folder.resolve("none"))
                .log(Entry.Kind.NOTE, journal())
                .readOnly()
                .open()) {
            assertThat(hits(store.scan(Scan.of("hit")))).containsExactly(1);
        }
        assertThat(Files.readAllBytes(journal())).isEqualTo(before);
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void scan_closedStore_isClosed() {
        XMemStore store = open();
        store.close();
        assertThatThrownBy(() -> store.scan(Scan.of("x"))).isInstanceOf(XMemException.Closed.class);
    }
}
