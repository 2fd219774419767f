package dev.xmem.core.text.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.XMemException;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class BoundedRegexTest {
    private static final long STEPS = 2_000_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+$",
                "(a|aa)+$",
                "(a|a?b)+$",
                "(.*a){20}",
                "(a|b)*",
                "(a|b|ab)*c",
                "^(([a-z])+.)+[A-Z]([a-z])+$",
                "(a*)*b",
                "(a?)+b",
                "(|a)+b",
                "(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)\\G",
                "(?:){2000000000}",
                "(?:(?:){2000000000}){2000000000}",
                "(a?|b?){100}c",
                "(x+x+)+y",
                "(?=(a+))a*b\\1",
                "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[0-9]",
                "a{1,1000}b{1,1000}a{1,1000}c",
                "(?<=a{1,9999})b",
                "((a{0,99}){0,99}){0,99}x",
                "(?:a|b|c|aa|bb|cc)*?z",
                "\\b(\\w+\\s?)+\\.",
                "(?i)(a+)+$"
            })
    void find_hostilePattern_endsWithAnAnswerOrATypedError(String pattern) {
        for (String text :
                List.of("a".repeat(1 << 20), "ab".repeat(1 << 19), "", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")) {
            try {
                BoundedRegex.compile(pattern).finder(STEPS).test(text);
            } catch (XMemException.Syntax expected) {
                assertThat(expected).hasMessageContaining("regular expression");
            }
        }
    }

    @Test
    void find_exponentialPattern_throwsWithAdvice() {
        assertThatThrownBy(() -> BoundedRegex.compile("(.*)(.*)(.*)(.*)(.*)[0-9]")
                        .finder(STEPS)
                        .test("a".repeat(300)))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("steps");
    }

    @Test
    void find_deepRecursion_throwsWithAdvice() {
        assertThatThrownBy(() -> BoundedRegex.compile("(a|b)*c").finder(STEPS).test("ab".repeat(1 << 18)))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("character class");
    }

    @Test
    void finder_textAfterText_countsTheStepsOfAll() {
        Predicate<String> finder = BoundedRegex.compile("z").finder(1000);
        assertThat(finder.test("a".repeat(500))).isFalse();
        assertThatThrownBy(() -> finder.test("a".repeat(600))).isInstanceOf(XMemException.Syntax.class);
    }

    @Test
    void compile_mistake_throwsWithPosition() {
        assertThatThrownBy(() -> BoundedRegex.compile("ab(c"))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(4));
        assertThatThrownBy(() -> BoundedRegex.compile("a".repeat(1001)))
                .isInstanceOf(XMemException.Syntax.class)
                .hasMessageContaining("1000");
        assertThatThrownBy(() -> BoundedRegex.compile("x(a*)*"))
                .isInstanceOfSatisfying(
                        XMemException.Syntax.class,
                        e -> assertThat(e.position()).isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(foo)?bar", "(a|b)?", "(a|b|)", "[a-z]+-\\d{2,4}", "^\\s*(at|in) .*$", "(?i)error|warn",
                        "\\bE\\d{4}\\b", "(?:x|y+)z*",
                "a{0}b", "\\Qa.b\\E+", "(?<name>a)\\k<name>", "[\\]a]", "[a&&[^b]]", "(?s).*end",
                        "\\p{L}+\\x41\\u0042\\x{43}", "\\/path",
                "(?=look)ahead", "(?<!x)y", "a++b", "a*?b", "\\R", "(a(b(c)?)?)?", "x{2}{3}"
            })
    void compile_ordinaryPattern_isAccepted(String pattern) {
        BoundedRegex regex = BoundedRegex.compile(pattern);
        for (String text : List.of(
                "", "foobar", "at x end", "E0308 ab-123", "a.b", "aa", "lookahead", "y", "/path ABC", "bbb xxxxxx")) {
            assertThat(regex.finder(STEPS).test(text))
                    .as("%s in %s", pattern, text)
                    .isEqualTo(Pattern.compile(pattern).matcher(text).find());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-", textBlock = """
                    hello              ; hello
                    fo+bar             ; bar
                    fooo+ba            ; fooo
                    colou?r            ; colo
                    ab|cd              ; -
                    (ab)cde            ; cde
                    error: .* line \\d+ ; error:
                    \\.rs              ; .rs
                    \\Qa.b\\E+x        ; a.b
                    (?i)hello          ; -
                    [abc]+             ; -
                    a{0}bc             ; bc
                    xy{2,3}z           ; xy
                    ^abc$              ; abc
                    é+x                ; é
                    """)
    void requiredLiteral_ofThePattern_isThis(String pattern, String literal) {
        String found = BoundedRegex.compile(pattern).requiredLiteral();
        assertThat(found == null ? null : found.strip()).isEqualTo(literal);
    }

    @Test
    void requiredLiteral_ofAnyPattern_isInEveryMatch() {
        Random random = new Random(7);
        List<String> parts = List.of(
                "a", "b", "ab", ".", "a?", "b*", "(a)", "(a|b)", "(?:ab)?", "[ab]", "|", "\\.", "a{2}", "b{0,1}", "^",
                "$", "(?=a)", "\\Qa\\E", "+");
        int compiled = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder pattern = new StringBuilder();
            for (int n = random.nextInt(6); n >= 0; n--) {
                pattern.append(parts.get(random.nextInt(parts.size())));
            }
            compiled += check(pattern.toString(), random) ? 1 : 0;
        }
        assertThat(compiled).isGreaterThan(5_000);
    }

    private static boolean check(String pattern, Random random) {
        BoundedRegex regex;
        try {
            regex = BoundedRegex.compile(pattern);
        } catch (XMemException.Syntax refused) {
            return false;
        }
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(8); n >= 0; n--) {
            text.append("ab.c".charAt(random.nextInt(4)));
        }
        boolean found = regex.finder(STEPS).test(text.toString());
        assertThat(found)
                .as("%s in %s", pattern, text)
                .isEqualTo(Pattern.compile(pattern).matcher(text).find());
        String literal = regex.requiredLiteral();
        if (found && literal != null) {
            assertThat(text.toString()).as(pattern).contains(literal);
        }
        return true;
    }
}
