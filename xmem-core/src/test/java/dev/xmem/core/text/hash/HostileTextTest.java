package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mebibyte of anything costs no more than its ends. */
final class HostileTextTest {
    private static final int CHARS = 1 << 20;

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
