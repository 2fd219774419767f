package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.text.hash.ErrorCorpus.Event;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExcerptTest {
    private static final List<String> PIECES = List.of(
            "error: cannot open 'a b'",
            "fatal: not found",
            "Caused by: java.io.IOException: x",
            "Traceback (most recent call last):",
            "  File \"a.py\", line 3",
            "    x = 1",
            "ValueError: bad",
            "hint: do",
            "  ^",
            "note:",
            ":",
            "error:",
            "WARNING: timed out",
            "a".repeat(600),
            "é".repeat(300),
            "😀".repeat(260),
            "\u001B[31mred\u001B[0m",
            "\r50%\r100%",
            "\tat a.b.C(D.java:1)",
            "   ",
            "",
            "npm ERR! code E404",
            "[ERROR] build failed",
            "exit status 1",
            "connection refused",
            "plain words",
            "  indented: not found");

    @Test
    void of_shortLine_asItIs() {
        String text = "Failed to create file system: didn't find section in config file";
        Excerpt excerpt = Excerpt.of("rclone", "sync a b", text);
        assertThat(excerpt.error()).isEqualTo(text);
        assertThat(excerpt.evidence()).isNull();
    }

    @Test
    void of_noiseAroundTheDiagnosis_diagnosisAlone() {
        Excerpt excerpt = Excerpt.of(
                "apt-get",
                "install x",
                "Reading package lists...\nBuilding dependency tree...\nE: Unable to locate package x\n");
        assertThat(excerpt.text()).isEqualTo("E: Unable to locate package x");
    }

    @Test
    void of_longLine_keepsBothEnds() {
        String text = "error: " + "x ".repeat(1_000) + "connection refused";
        Excerpt excerpt = Excerpt.of("t", "", text);
        assertThat(excerpt.error()).startsWith("error: x");
        assertThat(excerpt.text()).endsWith("connection refused");
    }

    @Test
    void of_devCorpus_fixedPointWithinTheLimits() {
        for (Event event : ErrorCorpus.read(ErrorCorpus.DEV)) {
            assertFixedPoint(event.tool(), event.action(), event.error());
        }
    }

    @Property(tries = 400)
    void of_piecesOfErrors_fixedPointWithinTheLimits(@ForAll("pieces") String text) {
        assertFixedPoint("git", "git push origin main", text);
    }

    @Property(tries = 400)
    void of_anyText_fixedPointWithinTheLimits(@ForAll("texts") String text) {
        assertFixedPoint("node", "node a.js", text);
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries.of(PIECES).list().ofMaxSize(40).map(lines -> String.join("\n", lines));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().all().ofMaxLength(2_000);
    }

    private static void assertFixedPoint(String tool, String action, String text) {
        Excerpt excerpt = Excerpt.of(tool, action, text);
        Excerpt again = Excerpt.of(tool, action, excerpt.text());
        assertThat(again.error()).isEqualTo(excerpt.error());
        assertThat(again.evidence()).isEqualTo(excerpt.evidence());
        String error = excerpt.error();
        assertThat(error.codePointCount(0, error.length())).isLessThanOrEqualTo(Excerpt.MAX_ERROR_CODE_POINTS);
        assertThat(excerpt.text().getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(Excerpt.MAX_EVIDENCE_BYTES);
        assertThat(excerpt.evidence()).isNotEqualTo(error);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error: \u2003", "fatal: \u3000", "x\nerror: \u1680"})
    void of_aPrefixBeforeBlanksThatAreNotAscii_isTaken(String error) {
        assertThat(Excerpt.of("git", "push", error).text()).isNotEmpty();
    }
}
