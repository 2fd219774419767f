package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Scan;
import dev.xmem.XMemException;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scan of the journal matches: literals and regular expressions, in every mode. */
class JournalNeedlesTest extends JournalFixture {
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
