package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.answer.render.TextSanitizer;
import dev.xmem.testing.CountedText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of an output. */
class OutputLinesTest {
    private static final int CHARS = 1000;

    @ParameterizedTest
    @ValueSource(strings = {".", "-", "@", "!", ".a", "-."})
    void word_runOfMarksInside_isReadALimitedNumberOfTimes(String marks) {
        String word = "a" + marks.repeat(CHARS / marks.length()) + "a";
        assertThat(CountedText.reads(word, OutputLines::bare)).isLessThan(20L * word.length());
        assertThat(CountedText.reads(word, TextSanitizer::withoutEndMarks)).isLessThan(20L * word.length());
    }

    @ParameterizedTest
    @CsvSource({"--name--, name", "...a.b.., a.b", "a, a", "-, ''", "@scope-a, scope-a", "a-, a"})
    void word_marksAtItsEnds_areRemoved(String word, String bare) {
        assertThat(OutputLines.bare(word)).isEqualTo(bare);
    }

    @ParameterizedTest
    @CsvSource({"done..., done", "a.b, a.b", "!?, ''", "…a…, …a", "x!., x"})
    void word_marksAtItsEnd_areRemoved(String word, String bare) {
        assertThat(TextSanitizer.withoutEndMarks(word)).isEqualTo(bare);
    }
}
