package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the operation of a tool, and the file that its call names, are part of a failure. */
final class OperationOfFailureTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "brz | log, status, commit -m a | brz: ERROR: Not a branch: \"/srv/a/\".",
                "mutool | info a.pdf, show a.pdf trailer, draw a.pdf | format error: cannot recognize version marker",
                "borg | info a, list a | Repository /srv/a does not exist.",
                "timedatectl | status, set-ntp true | Failed to connect to system scope bus: Host is down",
                "restic | -r a check, -r a snapshots | Fatal: wrong password or no key found",
                "hostnamectl | status, --static | Failed to connect to system scope bus: Host is down",
                "oak | build, verify, a | oak: cannot read key: permission denied"
            })
    void hash_causeThatIsTold_noOperation(String tool, String arguments, String error) {
        String first = arguments.split(", ")[0];

        assertThat(arguments.split(", "))
                .extracting(argument -> hash(tool, tool + ' ' + argument, error))
                .containsOnly(hash(tool, tool + ' ' + first, error));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "git | add a, commit a | error: pathspec 'a' did not match any files",
                "docker | exec a sh, images | Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
                "openssl | x509 -in a, rsa -in a | unable to load key file a"
            })
    void hash_toolOfManyPrograms_theOperationStays(String tool, String arguments, String error) {
        assertThat(arguments.split(", "))
                .extracting(argument -> hash(tool, tool + ' ' + argument, error))
                .doesNotHaveDuplicates();
    }

    @Test
    void hash_causeThatIsNotTold_theOperationStays() {
        assertThat(hash("oak", "oak build", "oak: it went wrong"))
                .isNotEqualTo(hash("oak", "oak verify", "oak: it went wrong"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "oak draw a.txt | oak: cannot open a.txt: No such file or directory | oak-run-file-not-found",
                "oak draw a.txt | oak: cannot open /usr/lib/oak/b.dat: No such file or directory | oak-run-other-file-not-found",
                "oak draw $FILE | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw *.txt | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw $PWD/a.txt | oak: cannot open b.txt: No such file or directory | oak-run-other-file-not-found",
                "bash ci/draw.sh | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found"
            })
    void hash_missingFile_whetherTheCallNamesIt(String action, String error, String expected) {
        assertThat(hash("oak", action, error)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A word of the program's vocabulary inside of an operand is a word of the message.
                "oak list silver-backup | oak: no backup repository 'b' | oak: no backup repository 'c'",
                "oak -machine type=raven | oak: unsupported machine type: \"b\" | oak: unsupported machine type: \"c\"",
                // The value behind the last colon is no noun.
                "oak a.txt | incorrect operation code: users | incorrect operation code: maple",
                // Steps, counts of nothing, and what the program got over.
                "oak a.txt | [2/4] oak 5.3 found, using it⏎Code before strictures at line 4 | Code before strictures at line 5",
                "oak a.txt | Code before strictures at line 4⏎Undefined: 0 | Code before strictures at line 5",
                "oak a.txt | Cannot read $x, ignoring: Permission denied⏎Cannot open device /sys/a: No such device | "
                        + "Cannot open device /sys/b: No such device",
                "oak a.txt | Failed to read $x, ignoring: Permission denied⏎Failed to open /sys/a: No such device | "
                        + "Failed to open /sys/b: No such device",
                // A place in a file among lines of a log.
                "bash ci/all.sh | copied a.dat (83 kB)⏎a.py:10:1: 'b' imported but unused⏎maple: failed (1) | "
                        + "a.py:10:1: 'b' imported but unused",
                // Brackets around a number are no progress without a percent sign.
                "oak a.txt | Client connecting to port 9⏎[  1] connect failed (Connection refused) | Connection refused",
                // The field of a value is no word of the message.
                "oak -drive file=a,format=raw | oak: -drive file=a,format=raw: Could not open 'a': No such file | "
                        + "oak: -hda a: Could not open 'a': No such file"
            })
    void hash_sameFailureToldInTwoWays_sameHash(String action, String one, String other) {
        assertThat(hash("oak", action, one.replace('⏎', '\n')))
                .isEqualTo(hash("oak", action.replace("silver-backup", "silver").replace("type=", ""), other));
    }

    /** A gap of a phrase does not go over the end of a sentence. */
    @Test
    void hash_twoSentences_noPhraseOverBoth() {
        assertThat(hash(
                        "oak",
                        "oak plant a",
                        "Permission 'a' denied (or it may not exist). This command is for trees."))
                .isEqualTo("oak-run-permission-denied");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "No suitable driver found for jdbc:maple | no-matching-overload",
                "No resolvable urls given in oak.servers | argument-count",
                "a.c:1:9: error: ‘oak’ undeclared here (not in a function) | not-callable"
            })
    void hash_wordsOfAnotherCause_notThatCause(String error, String cause) {
        assertThat(hash("oak", "oak a.c", error)).doesNotContain(cause);
    }

    @Test
    void hash_warningThatIsAllThatIsSaid_itsCause() {
        String help = "\noak 4.99\n latest revision: 4\nusage: oak [-a] [-b] [-c]\nUse -h for help.";

        assertThat(hash("oak", "oak +D a", "oak: WARNING: can't stat(a): No such file or directory" + help))
                .isEqualTo("oak-run-file-not-found");
    }

    @Test
    void hash_messageBehindErrorOfAProgram_itsWords() {
        assertThat(hash("oak", "oak a", "Error: inaccessible profile file: a")).isNotEqualTo("oak-run-failed");
    }

    private static String hash(String tool, String action, String error) {
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(error, 1))
                .value();
    }
}
