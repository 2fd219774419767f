package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shell lines of a megabyte: only the beginning is parsed, so the work does not grow with the line. */
final class HugeShellLineTest {
    private static final int MAX_CHARS = 4_096;
    private static final int MAX_WORDS = 400;

    @ParameterizedTest
    @ValueSource(
            strings = {"a|", "(", "(a|a)|", "$(", "$(a ", "a;", "a=$(b)\n", "'", "`", "{ ", "cat <<E\n", "a && (", "if "
            })
    void works_megabyte_parsesTheBeginningOnly(String part) {
        String huge = part.repeat(1_000_000 / part.length());

        assertThat(CommandLine.works("tool", huge))
                .hasSizeLessThanOrEqualTo(MAX_WORDS)
                .isEqualTo(CommandLine.works("tool", huge.substring(0, MAX_CHARS)));
    }
}
