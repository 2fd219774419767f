package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mebibyte of anything costs no more than its ends. */
final class HostileTextTest {
    private static final int CHARS = 1 << 20;

    /** What frames, answers and messages of shells are made of. */
    private static final List<String> PARTS = List.of(
            "at ",
            "a.b",
            "(X.java:1)",
            "(Native Method)",
            "/",
            ".",
            ":",
            "::",
            "(",
            ")",
            "File \"",
            "node_modules/",
            "site-packages/",
            "Caused by: ",
            "java.net.ConnectException: ",
            "Connection refused",
            "ECONNREFUSED",
            "AB123456: ",
            "HTTP 404: ",
            "call failed (404): '",
            "=",
            "'",
            "\"",
            "{",
            "}",
            "[",
            "Get-Item : ",
            "   | ",
            "FullyQualifiedErrorId : A,B",
            "http://a.svc:80/",
            "\n",
            "\n\t",
            " ",
            "\\",
            "@",
            "-",
            "1",
            "„a“",
            "を");

    @Test
    void hash_partsInAnyOrder_neverThrows() {
        Random random = new Random(7);
        RuleBasedHasher hasher = new RuleBasedHasher();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(i % 2 == 0 ? "" : "java.net.ConnectException: Connection refused\n");
            for (int part = random.nextInt(12); part >= 0; part--) {
                text.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            for (String tool : List.of("java", "curl", "http_request", "powershell")) {
                Excerpt excerpt = Excerpt.of(tool, tool + " x", text.toString());
                HashInput input = HashInput.of(tool, tool + " x").error(excerpt.text(), 1);
                assertThat(excerpt.hash(hasher, input).value())
                        .as(text.toString())
                        .isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "'",
                "\"",
                "`'",
                "(",
                "[{",
                "\u001B[",
                "\u001B]",
                "not ",
                "cannot ",
                "no * ",
                "://",
                "a/",
                "-",
                "a-",
                "a.",
                "::",
                "Error: ",
                "error: \n",
                ": error: ",
                "Caused by: x.YError: z\n",
                "\n",
                "\r",
                "  File \"a\"\n  x\n",
                "9",
                "1:",
                "\u202E",
                "\uDB40\uDC41",
                "```\n",
                "<",
                "=",
                "$(",
                "&&",
                "\\",
                "x'y",
                "{\"a\":",
                "could not be not found in the directory of ",
                "\uD800"
            })
    void hash_mebibyte_inBoundedTime(String unit) {
        String text = unit.repeat(CHARS / unit.length());
        Assertions.assertTimeout(Duration.ofSeconds(5), () -> {
            RuleBasedHasher hasher = new RuleBasedHasher();
            Excerpt excerpt = Excerpt.of("git", text, text);
            assertThat(excerpt.text().length()).isLessThanOrEqualTo(Excerpt.MAX_EVIDENCE_BYTES);
            assertThat(hasher.explain(HashInput.of("git", text).error(text, 1)).value())
                    .startsWith("git");
            assertThat(hasher.hash(HashInput.of("bash", text).patternName(text).signature(text))
                            .value())
                    .isNotEmpty();
            assertThat(CommandLine.parse(text).tool()).isNotNull();
        });
    }
}
