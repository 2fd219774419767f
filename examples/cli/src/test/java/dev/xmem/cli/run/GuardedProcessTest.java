package dev.xmem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

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
