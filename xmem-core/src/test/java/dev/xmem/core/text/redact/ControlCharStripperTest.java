package dev.xmem.core.text.redact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invisible characters are removed; those that scripts need stay. */
class ControlCharStripperTest {
    private static final String ESC = "\u001B";

    private final Redaction redaction = new Redaction(text -> text);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[31m", "[0m", "[1;38;5;200m", "[2K", "[?25l", "[10;20H", "]0;title\u0007", "]8;;http://h\u001B\\",
                        "P1$r0m\u001B\\",
                "_x\u001B\\", "^x\u001B\\", "X x\u001B\\", "(B", "=", ">", "7", "c", "M"
            })
    void clean_terminalSequence_isRemoved(String sequence) {
        assertThat(redaction.clean("a" + ESC + sequence + "b")).isEqualTo("ab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u009B31m",
                "\u009D0;title\u0007",
                "\u009D0;title\u009C",
                "\u0090x\u009C",
                "\u0000",
                "\u0007",
                "\b",
                "\u007F",
                "\u0085",
                "\u200B",
                "\u200E",
                "\u200F",
                "\u202A",
                "\u202E",
                "\u2060",
                "\u2066",
                "\u2069",
                "\uFEFF",
                "\u00AD",
                "\u200D",
                "\u200C",
                "\uDB40\uDC41",
                "\uDB40\uDC7F",
                "\uDB40\uDC00",
                "\u034F",
                "\u115F",
                "\u1160",
                "\u17B4",
                "\u180E",
                "\u3164",
                "\uFE0F",
                "\uFFA0",
                "\uFFF9",
                "\uD834\uDD73",
                "\uDB40\uDD00"
            })
    void clean_invisibleCharacter_isRemoved(String invisible) {
        assertThat(redaction.clean("a" + invisible + "b")).isEqualTo("ab");
        assertThat(redaction.clean("pass" + invisible + "word=hun" + invisible + "ter2"))
                .isEqualTo("password=[redacted:password]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\nb\tc",
                "👩‍💻",
                "نمی‌خواهم",
                "क्‍ष",
                "❤️",
                "é日本",
                "\uD83D\uDE00",
                "\uE000",
                "1\uFE0F\u20E3",
                "🏳\uFE0F\u200D🌈",
                "葛\uDB40\uDD00城"
            })
    void clean_visibleText_isTheSameString(String text) {
        assertThat(redaction.clean(text)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource({
        "👩\u200D\u200D💻,👩\u200D💻",
        "👩\u200Dx,👩x",
        "❤\uFE0F\uFE0F!,❤\uFE0F!",
        "نمی\u200C\u200Cخواهم,نمی\u200Cخواهم",
        "葛\uDB40\uDD00\uDB40\uDD01城,葛\uDB40\uDD00城"
    })
    void clean_joinersAndSelectors_stayOnceAndOnlyWhereTheyBelong(String text, String cleaned) {
        assertThat(redaction.clean(text)).isEqualTo(cleaned);
        assertThat(redaction.clean(cleaned)).isSameAs(cleaned);
    }

    @ParameterizedTest
    @CsvSource({"'a\r\nb','a\nb'", "'a\rb','a\nb'", "'a\r\r\nb','a\n\nb'"})
    void clean_lineEnds_areLineFeeds(String text, String cleaned) {
        assertThat(redaction.clean(text)).isEqualTo(cleaned);
    }

    @Test
    void clean_unpairedSurrogates_areReplaced() {
        assertThat(redaction.clean("a\uD83Db\uDE00c\uD83D")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
    }

    @Test
    void clean_unterminatedSequence_endsWithItsLine() {
        assertThat(redaction.clean("a" + ESC + "]0;title\nb")).isEqualTo("a\nb");
        assertThat(redaction.clean("a" + ESC + "[")).isEqualTo("a");
        assertThat(redaction.clean("a" + ESC)).isEqualTo("a");
    }

    @Test
    void clean_secretSplitBySequences_isFound() {
        String token = "ghp_a1B2" + ESC + "[0m" + "c3D4e5F6a1B2c3D4" + ESC + "]0;x\u0007" + "e5F6a1B2c3D4e5F6";

        assertThat(redaction.clean(ESC + "[31m" + token + ESC + "[0m!")).isEqualTo("[redacted:github-token]!");
    }
}
