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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal: which lines are written to it, and which of its newest lines a scan returns. */
class JournalTest {
    private static final int WIDEST = 1_000_000;

    @TempDir
    Path folder;

    private Path journal() {
        return folder.resolve("memory.jsonl");
    }

    private XMemStore open() {
        return XMem.builder(folder.resolve("store"))
                .log(Entry.Kind.NOTE, journal())
                .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
                .open();
    }

    private void write(String text) {
        try {
            Files.writeString(journal(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String note(String content) {
        return "{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"note\",\"content\":\"" + content
                + "\",\"tags\":null,\"meta\":null}";
    }

    private void notes(String... contents) {
        for (String content : contents) {
            write(note(content) + "\n");
        }
    }

    private ScanResult scan(Scan scan) {
        try (XMemStore store = open()) {
            return store.scan(scan);
        }
    }

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
    class Needles {
        private List<String> contents(Scan scan) {
            return scan(scan).results().stream()
                    .map(line -> Json.object(line).get("content").toString())
                    .toList();
        }

        @ParameterizedTest
        @EnumSource(Scan.Mode.class)
        void scan_literal_matchesTheDecodedText(Scan.Mode mode) {
            write(note("tab\\there") + "\n" + note("caf\\u00e9") + "\n" + note("a\\/b \\\"q\\\"") + "\n"
                    + note("\\ud83d\\udc4d") + "\n");
            assertThat(contents(Scan.of("tab\there").mode(mode))).hasSize(1);
            assertThat(contents(Scan.of("café").mode(mode))).containsExactly("café");
            assertThat(contents(Scan.of("a/b \"q\"").mode(mode))).hasSize(1);
            assertThat(contents(Scan.of("👍").mode(mode))).hasSize(1);
            assertThat(contents(Scan.of("\\u00e9").mode(mode))).isEmpty();
            assertThat(contents(Scan.of("\\").mode(mode))).isEmpty();
        }

        @ParameterizedTest
        @EnumSource(Scan.Mode.class)
        void scan_contentTypeTagsAndMeta_areSearchedAndNothingElse(Scan.Mode mode) {
            write(
                    "{\"ts\":\"needle-ts\",\"type\":\"needle-type\",\"content\":\"c\",\"tags\":[\"needle-tag\"],"
                            + "\"meta\":{\"needle-key\":{\"x\":[\"needle-meta\",7]}},\"id\":\"needle-id\",\"more\":\"needle-more\"}\n");
            for (String found : List.of("needle-type", "needle-tag", "needle-meta", "c")) {
                assertThat(contents(Scan.of(found).mode(mode))).as(found).hasSize(1);
            }
            for (String not :
                    List.of("needle-ts", "needle-key", "needle-id", "needle-more", "7", "\"c\"", "null", "content")) {
                assertThat(contents(Scan.of(not).mode(mode))).as(not).isEmpty();
            }
        }

        @ParameterizedTest
        @EnumSource(Scan.Mode.class)
        void scan_case_isToldApart(Scan.Mode mode) {
            notes("Python");
            assertThat(contents(Scan.of("python").mode(mode))).isEmpty();
            assertThat(contents(Scan.of("/(?i)python/").mode(mode))).hasSize(1);
        }

        @ParameterizedTest
        @EnumSource(Scan.Mode.class)
        void scan_betweenSlashes_isARegularExpression(Scan.Mode mode) {
            notes("port 8080 in use", "port in use", "a/b");
            assertThat(contents(Scan.of("/port \\d+/").mode(mode))).containsExactly("port 8080 in use");
            assertThat(contents(Scan.of("/^port/").mode(mode))).hasSize(2);
            assertThat(contents(Scan.of("/x|b$/").mode(mode))).containsExactly("a/b");
        }

        @ParameterizedTest
        @ValueSource(strings = {"/(/", "/[/", "/*/", "/a{2,1}/", "/\\/"})
        void scan_whatDoesNotCompile_isALiteral(String q) {
            notes("see " + q.replace("\\", "\\\\") + " there", "( [ * a{2,1}");
            assertThat(contents(Scan.of(q))).containsExactly("see " + q + " there");
        }

        @ParameterizedTest
        @ValueSource(strings = {"/", "/usr", "usr/"})
        void scan_oneSlash_isALiteral(String q) {
            notes("in /usr/lib", "nothing");
            assertThat(contents(Scan.of(q))).containsExactly("in /usr/lib");
        }

        @Test
        void scan_nothingBetweenTheSlashes_isEverything() {
            notes("a", "b");
            assertThat(contents(Scan.of("//"))).containsExactly("b", "a");
            assertThat(contents(Scan.of(""))).containsExactly("b", "a");
        }

        @ParameterizedTest
        @EnumSource(Scan.Mode.class)
        void scan_expressionThatNeverEnds_isASyntaxError(Scan.Mode mode) {
            notes("a".repeat(2000));
            assertThatThrownBy(() -> scan(Scan.of("/(.*)(.*)(.*)(.*)(.*)[0-9]/").mode(mode)))
                    .isInstanceOf(XMemException.Syntax.class)
                    .hasMessageContaining("regular expression");
            assertThatThrownBy(() -> scan(Scan.of("/" + "a".repeat(1001) + "/").mode(mode)))
                    .isInstanceOf(XMemException.Syntax.class);
        }

        @ParameterizedTest
        @ValueSource(strings = {"\uD83D", "\uDC4D", "\uFFFD", "x\uFFFD", "/\uFFFD/", "/\uD83D/"})
        void scan_halvesAndReplacements_areTheSameInEveryMode(String q) throws IOException {
            write(note("👍") + "\n" + note("\\ud83d alone") + "\n" + note("x\uFFFDy") + "\n" + note("?") + "\n");
            byte[] broken = note("x#y").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < broken.length; i++) {
                broken[i] = broken[i] == '#' ? (byte) 0xFF : broken[i];
            }
            Files.write(journal(), broken, StandardOpenOption.APPEND);
            List<String> byParsing = scan(Scan.of(q).mode(Scan.Mode.JQ)).results();
            assertThat(byParsing).isNotEmpty();
            assertThat(scan(Scan.of(q).mode(Scan.Mode.RG)).results()).isEqualTo(byParsing);
            assertThat(scan(Scan.of(q).mode(Scan.Mode.HYBRID)).results()).isEqualTo(byParsing);
        }

        @Test
        void scan_brokenLines_areNoResults() {
            write("hit\n\"hit\"\n[\"hit\"]\n{\"content\":\"hit\"\n{\"content\":\"hit\"} x\n{\"content\":\"hit\",}\n");
            assertThat(scan(Scan.of("hit")).results()).isEmpty();
        }

        @Test
        void scan_physicalLines_areEachAResult() {
            notes(Collections.nCopies(25, "hit 1").toArray(String[]::new));
            assertThat(scan(Scan.of("hit")).results()).hasSize(20);
            assertThat(scan(Scan.of("hit").limit(200)).results()).hasSize(25);
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
