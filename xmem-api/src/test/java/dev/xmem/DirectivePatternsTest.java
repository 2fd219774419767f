package dev.xmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.testing.CountedText;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work of the parser's patterns on hostile texts, counted in characters read: it grows with the text's length. */
final class DirectivePatternsTest {
    private static final int SHORT = 250;
    private static final int LONG = 1000;
    private static final int MAX_GROWTH = 8;
    private static final int FREE = 100 * LONG;

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                ", ",
                ". ",
                ".",
                "-",
                "- ",
                "; ",
                "\n",
                "x\n",
                "a ",
                "a, ",
                "1. ",
                "the ",
                "because ",
                " and",
                ", always ",
                "in this ",
                "from now on ",
                "it must ",
                "mm is ",
                "please ",
                "never ",
                " in all projects",
                "remember "
            })
    void find_hostileText_workIsLinear(String part) throws IllegalAccessException {
        for (Pattern pattern : patterns()) {
            long few = work(pattern, part, SHORT);
            long many = work(pattern, part, LONG);
            assertThat(many).as("%s on '%s'", pattern, part).isLessThanOrEqualTo(Math.max(FREE, MAX_GROWTH * few));
        }
    }

    private static List<Pattern> patterns() throws IllegalAccessException {
        List<Pattern> patterns = new ArrayList<>();
        for (Class<?> type : List.of(DirectiveParser.class, DirectiveRequest.class)) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType().equals(Pattern.class)) {
                    field.setAccessible(true);
                    patterns.add((Pattern) field.get(null));
                }
            }
        }
        assertThat(patterns).hasSizeGreaterThan(20);
        return patterns;
    }

    private static long work(Pattern pattern, String part, int length) {
        String text = DirectiveRequest.separated("always " + part.repeat(length / part.length()) + "x!q");
        return CountedText.reads(
                text, counted -> pattern.matcher(counted).results().count());
    }
}
