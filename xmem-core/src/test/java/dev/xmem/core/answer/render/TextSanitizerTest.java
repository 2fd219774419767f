package dev.xmem.core.answer.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TextSanitizerTest {
    @Test
    void line_lineEndsAndBlanks_becomeOneSpace() {
        assertThat(TextSanitizer.line(" a\r\n\tb \u2028c\u0085d ")).isEqualTo("a b c d");
    }

    @Test
    void line_terminalCommands_areGone() {
        assertThat(TextSanitizer.line("\u001B[31mred\u001B[0m \u001B]0;title\u0007x\u009B2Jy\u001Bcz"))
                .isEqualTo("red xyz");
    }

    @Test
    void line_unfinishedTerminalCommand_swallowsNothing() {
        assertThat(TextSanitizer.line("\u001B]0;no end here")).isEqualTo("0;no end here");
    }

    @Test
    void line_invisibleMarks_areGone_joinersStay() {
        assertThat(TextSanitizer.line("a\u202Eb\u200Bc\uFEFF👩\u200D💻")).isEqualTo("abc👩\u200D💻");
    }

    @Test
    void line_megabyteOfBlanks_isCutWithoutReadingItAll() {
        assertThat(TextSanitizer.line("a" + " ".repeat(1 << 20) + "b", 10)).isEqualTo("a…");
    }

    @Test
    void block_linesAfterTheFirst_areIndented() {
        assertThat(TextSanitizer.block("a\n\n  b \r\nEntry: c")).isEqualTo("a\n    b\n  Entry: c");
    }

    @Test
    void cut_insideASurrogatePair_takesThePairAway() {
        assertThat(TextSanitizer.cut("ab😀cd", 4)).isEqualTo("ab…");
    }

    @Property(tries = 500)
    void line_anyText_isOneCleanLineOfAtMostSoManyCharacters(
            @ForAll String value, @ForAll @IntRange(max = 80) int most) {
        String line = TextSanitizer.line(value, most);
        assertThat(line.length()).isLessThanOrEqualTo(most);
        assertThat(line.codePoints()).noneMatch(c -> Character.isISOControl(c) || c >= 0xD800 && c <= 0xDFFF);
    }

    @Property(tries = 500)
    void block_anyText_hasNoSecondLineAtTheMargin(@ForAll String value) {
        assertThat(TextSanitizer.block(value).lines().skip(1)).allMatch(line -> line.startsWith("  "));
    }

    @Property(tries = 500)
    void json_anyText_isReadBackAsItWas(@ForAll String value) throws IOException {
        String json = TextSanitizer.json(value);
        assertThat(json.codePoints()).noneMatch(c -> c < ' ' || c >= 0xD800 && c <= 0xDFFF);
        assertThat(read(json)).isEqualTo(value);
    }

    @Property(tries = 500)
    void json_withALimit_isAValidStringWithin(@ForAll String value, @ForAll @IntRange(min = 4, max = 60) int most)
            throws IOException {
        String json = TextSanitizer.json(value, most);
        assertThat(json.length()).isLessThanOrEqualTo(most);
        String back = read(json);
        assertThat(back.equals(value) || back.endsWith("…") && value.startsWith(back.substring(0, back.length() - 1)))
                .isTrue();
    }

    private static String read(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            return parser.getText();
        }
    }

    /** The look at the first word rules out no label. */
    @Property
    void isLabel_anyText_isWhatThePatternSays(@ForAll("beginnings") String text) {
        assertThat(PromptEscaping.isLabel(text)).isEqualTo(PromptEscaping.matchesLabel(text));
    }

    @Provide
    Arbitrary<String> beginnings() {
        Arbitrary<String> parts = Arbitraries.of(
                "a similar failure, ",
                "also, ",
                "Confidence",
                " : ",
                ":",
                "do not try",
                "ENTRY ",
                "failed in this session",
                "for a similar failure",
                "notes",
                "seen ",
                "3",
                "this network failure",
                "tried",
                "worked",
                "team",
                "your other projects",
                "first",
                " time in this session",
                "_",
                " ",
                "“",
                "é",
                "\n",
                "(",
                "- ",
                "git");
        return parts.list().ofMaxSize(5).map(each -> String.join("", each));
    }

    @Property
    void id_anyText_isQuotedUnlessItIsAWord(@ForAll("ids") String text) {
        boolean word = text.matches("[A-Za-z0-9][A-Za-z0-9._@/+-]{0,79}");
        assertThat(TextSanitizer.id(text).equals(text) && !text.isEmpty()).isEqualTo(word);
    }

    @Provide
    Arbitrary<String> ids() {
        Arbitrary<String> chars =
                Arbitraries.of("a", "Z", "0", "9", ".", "_", "@", "/", "+", "-", "é", " ", "{", "0123456789");
        return chars.list().ofMaxSize(12).map(each -> String.join("", each));
    }
}
