package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.text.hash.ErrorCorpus.Event;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.HashInput;
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
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();

    /** Calls of one command, of several, of a shell, of a wrapper, with JSON arguments, and of a request. */
    private static final List<List<String>> CALLS = List.of(
            List.of("git", "git push origin main"),
            List.of("bash", "cd a && npm test && git push origin main"),
            List.of("bash", "{\"command\": \"make build | tee log; ./run.sh 'a b'\"}"),
            List.of("npm", "sudo -u ci npm run build"),
            List.of("http", "{\"url\": \"https://api.maple.com/v1\", \"method\": \"post\"}"),
            List.of("mvn", "mvn -q verify"),
            List.of("frob", ""));

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
            "  indented: not found",
            "HTTP/1.1 404 Not Found\ncontent-type: application/json\n\n{\"error\":{\"code\":\"no_such_job\"}}",
            "{\"status\":429,\"message\":\"Too many requests, slow down\"}",
            "Call log:\n  - waiting for locator('#a')\n    - <div class=\"b\"></div> intercepts pointer events",
            "● a › b",
            "Erreur : fichier introuvable",
            "sh: 1: frob: not found",
            "make: *** [Makefile:3: build] Error 2");

    @ParameterizedTest
    @ValueSource(ints = {10, 199, 200, 400, 900})
    void of_causeAfterManyLines_kept(int lines) {
        String log = "[INFO] Copying part\n\n".repeat(lines)
                + "Traceback (most recent call last):\n  File \"load.py\", line 8, in <module>\n";
        String key = log + "KeyError: 'colour'";
        String zero = log + "ZeroDivisionError: division by zero";
        Excerpt excerpt = Excerpt.of("bash", "cd app; python load.py", key);

        assertThat(excerpt.error()).isEqualTo("KeyError: 'colour'");
        assertThat(excerpt.evidence()).isNull();
        assertThat(hashOf(key)).isEqualTo(hashOf(excerpt.text())).isNotEqualTo(hashOf(zero));
    }

    @Test
    void of_programNamedAfterManyLines_itsCall() {
        String error = "part copied\n".repeat(900) + "tar: a.tar: Cannot open: No such file or directory";

        assertThat(hashOf("tar xf a.tar && python load.py", error)).startsWith("tar-");
    }

    private static String hashOf(String error) {
        return hashOf("cd app; python load.py", error);
    }

    private static String hashOf(String action, String error) {
        return HASHER.hash(HashInput.of("bash", action).error(error, 1)).value();
    }

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

    @Test
    void hash_ofTheCorpora_thatOfTheStoredText() {
        for (String corpus : List.of(
                ErrorCorpus.DEV,
                ErrorCorpus.COLLECTED,
                ErrorCorpus.AGENTS,
                ErrorCorpus.AGENTS_LATER,
                ErrorCorpus.SERVICES,
                ErrorCorpus.SERVICES_LATER)) {
            for (Event event : ErrorCorpus.read(corpus)) {
                assertSameHash(event.tool(), event.action(), event.error());
            }
        }
    }

    @Property(tries = 1_000)
    void hash_piecesOfErrors_thatOfTheStoredText(@ForAll("pieces") String text, @ForAll("calls") List<String> call) {
        assertSameHash(call.get(0), call.get(1), text);
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

    @Provide
    Arbitrary<List<String>> calls() {
        return Arbitraries.of(CALLS);
    }

    /** The hash that uses what the excerpt has analysed is the hash of a caller that has only the stored text. */
    private static void assertSameHash(String tool, String action, String text) {
        Excerpt excerpt = Excerpt.of(tool, action, text);
        HashInput input = HashInput.of(tool, action).error(excerpt.text(), 1);
        ContextHash shared = excerpt.hash(HASHER, input);
        ContextHash alone = HASHER.hash(input);
        assertThat(shared.value()).as(text).isEqualTo(alone.value());
        assertThat(shared.operation()).as(text).isEqualTo(alone.operation());
        assertThat(shared.subject()).as(text).isEqualTo(alone.subject());
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
