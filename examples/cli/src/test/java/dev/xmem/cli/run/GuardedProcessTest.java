package dev.xmem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a guarded process reads of messages of the JDK and of /proc. */
class GuardedProcessTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cannot run program \"x\": error=2, No such file or directory|true",
                "Cannot run program \"x\": Exec failed, error: 2 (No such file or directory)|true",
                "Cannot run program \"x\": error=13, Permission denied|false",
                "Cannot run program \"x\": Exec failed, error: 20 (Not a directory)|false",
            })
    void isMissing_messagesOfSeveralJdks(String message, boolean missing) {
        assertThat(GuardedProcess.isMissing(message)).isEqualTo(missing);
    }

    /** Java passes on the letters of ASCII in any locale. */
    @Test
    void startable_localeWithoutTheLetters_keepsLongWordsAndAllCharacters() throws Exception {
        List<String> words = List.of("a\\n'\"$x\n", "ü1 \\n'\"$(x)%s\n\n", "", "b".repeat(40_000), "ß".repeat(9_000));
        List<String> argv = new ArrayList<>(List.of("printf", "[%s]"));
        argv.addAll(words);

        List<String> command = GuardedProcess.startable(argv, StandardCharsets.US_ASCII.newEncoder());

        assertThat(command).allMatch(StandardCharsets.US_ASCII.newEncoder()::canEncode);
        Process process = new ProcessBuilder(command).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(words.stream().map(word -> "[" + word + "]").collect(Collectors.joining()));
    }

    @ParameterizedTest
    @CsvSource({
        "71 (java) S 60 71 60 34816 71 4194304 1 2,true",
        "71 (a) b (java) S 60 71 60 34816 71 4194304 1 2,true",
        "71 (java) S 60 71 60 34816 60 4194304 1 2,false",
        "71 (java) S 60 71 60 0 -1 4194304 1 2,false",
        "71,false",
    })
    void isInForeground_linesOfProc(String stat, boolean foreground) {
        assertThat(PassedSignals.isInForeground(stat)).isEqualTo(foreground);
    }
}
