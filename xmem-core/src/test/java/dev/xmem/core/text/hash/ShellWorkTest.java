package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.testing.CountedText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parser of shell lines makes of hostile lines. */
class ShellWorkTest {
    private static final int CHARS = 1000;

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "e", "l", "LOG_", "="})
    void options_longWords_areReadALimitedNumberOfTimes(String unit) {
        String word = unit.repeat(CHARS / unit.length()) + '.';
        for (String text : List.of(word, '-' + word, word + '=')) {
            assertThat(CountedText.reads(text, ShellScript::isNeutralVariable)).isLessThan(20L * text.length());
            assertThat(CountedText.reads(text, ShellScript::isLogin)).isLessThan(20L * text.length());
            assertThat(CountedText.reads(text, ShellSteps::namesErrexit)).isLessThan(20L * text.length());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GIT_TRACE=1, true",
        "DEBUG=, true",
        "npm_LOG_level=a=b, true",
        "A=TRACE, false",
        "TRACE, false",
        "a b LOG=1, false",
        "=LOG, false"
    })
    void neutralVariable_isOneThatChangesWhatIsPrinted(String text, boolean neutral) {
        assertThat(ShellScript.isNeutralVariable(text)).isEqualTo(neutral);
    }

    @ParameterizedTest
    @CsvSource({"-lc, true", "-ic, true", "-c, false", "-xc, false", "--login, false", "l, false"})
    void loginShell_isNamedByAnOption(String option, boolean login) {
        assertThat(ShellScript.isLogin(option)).isEqualTo(login);
    }

    @ParameterizedTest
    @CsvSource({"-e, true", "+e, true", "-euo, true", "-xe, true", "-x, false", "e, false", "-E, false", "-, false"})
    void errexit_isNamedByAnOption(String option, boolean named) {
        assertThat(ShellSteps.namesErrexit(option)).isEqualTo(named);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "make; echo code $?, code $?",
                "make; /bin/echo code $?, code $?",
                "make; a=$?; echo $a, $?",
                "make; a=$?; echo ${a}, $?",
                "make; a=$?; /usr/bin/echo =$a, =$?",
                "make; $?/echo hello, none",
                "make; a=$?; $a/echo hello, none"
            })
    void exitText_isWhatEchoPrints(String line, @Nullable String text) {
        assertThat(ShellScript.works(line).get(0).exitText()).isEqualTo(text);
    }

    @Test
    void setup_listsEveryStepThatCanChangeTheResult() {
        List<CommandLine.Work> works = ShellScript.works("export A=1; LOG=2; cd x; make a; make b");
        assertThat(works.get(works.size() - 1).setup()).containsExactly("A=1", "cd x", "make a");
    }
}
