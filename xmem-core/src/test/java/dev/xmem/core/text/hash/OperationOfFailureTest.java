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
                "brz | log, status, commit -m a | brz: ERROR: Not a branch: \"/srv/a/\". | brz-run-not-branch",
                "mutool | info a.pdf, show a.pdf trailer, draw a.pdf | format error: cannot recognize version marker"
                        + " | mutool-run-bad-format",
                "borg | info a, list a | Repository /srv/a does not exist. | borg-remote-not-found",
                "timedatectl | status, set-ntp true | Failed to connect to system scope bus: Host is down"
                        + " | timedatectl-not-running",
                "restic | -r a check, -r a snapshots | Fatal: wrong password or no key found | restic-auth-failed",
                "hostnamectl | status, --static | Failed to connect to system scope bus: Host is down"
                        + " | hostnamectl-not-running",
                "oak | build, verify, a | oak: cannot open a: permission denied | oak-run-permission-denied"
            })
    void hash_causeThatIsTold_noOperation(String tool, String arguments, String error, String expected) {
        assertThat(arguments.split(", "))
                .extracting(argument -> hash(tool, tool + ' ' + argument, error))
                .containsOnly(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "git | add a, commit a | error: pathspec 'a' did not match any files",
                "docker | exec a sh, images | Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
                "openssl | x509 -in a, rsa -in a | unable to load key file a",
                "aws | s3 ls, ec2 run-instances"
                        + " | An error occurred (AccessDenied) when calling an operation: Access Denied"
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
                "oak draw a.txt | oak: cannot open /usr/lib/oak/b.dat: No such file or directory"
                        + " | oak-run-other-file-not-found",
                "oak draw $FILE | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw *.txt | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw $PWD/a.txt | oak: cannot open b.txt: No such file or directory"
                        + " | oak-run-other-file-not-found",
                "bash ci/draw.sh | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw {a,b}.txt | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw src/{a,test/b}.txt | oak: cannot open src/c.txt: No such file or directory"
                        + " | oak-run-file-not-found",
                "oak draw [ab].txt | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw a?.txt | oak: cannot open ab.txt: No such file or directory | oak-run-file-not-found",
                "oak draw `cat list` | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw a.TXT | oak: cannot open a.txt: No such file or directory | oak-run-file-not-found",
                "oak draw @list | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw -T list | oak: cannot open b.txt: No such file or directory | oak-run-file-not-found",
                "oak draw --files-from=list | oak: cannot open b.txt: No such file or directory"
                        + " | oak-run-file-not-found"
            })
    void hash_missingFile_whetherTheCallNamesIt(String action, String error, String expected) {
        assertThat(hash("oak", action, error)).isEqualTo(expected);
    }

    /** Columns: an action, its error, another action and its error, and the hash of both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A word of the program's vocabulary inside of an operand is a word of the message.
                "oak list silver-backup | oak: no backup repository 'b' | oak list silver"
                        + " | oak: no backup repository 'c'"
                        + " | oak-run-no-backup-repository",
                "oak -machine type=raven | oak: unsupported machine type: \"b\" | oak -machine raven"
                        + " | oak: unsupported machine type: \"c\" | oak-run-type-unsupported",
                // The value behind the last colon is no noun.
                "oak a.txt | incorrect operation code: users | oak a.txt | incorrect operation code: maple"
                        + " | oak-run-invalid-incorrect-operation-code",
                // Steps, counts of nothing, and what the program got over.
                "oak a.txt | [2/4] oak 5.3 found, using it⏎Code before strictures at line 4 | oak a.txt"
                        + " | Code before strictures at line 5 | oak-run-code-before",
                "oak a.txt | Code before strictures at line 4⏎Undefined: 0 | oak a.txt"
                        + " | Total errors: 0⏎Code before strictures at line 5 | oak-run-code-before",
                "oak a.txt | Cannot read $x, ignoring: Permission denied⏎Cannot open device /sys/a: No such device"
                        + " | oak a.txt | Cannot open device /sys/b: No such device | oak-run-device-not-found",
                "oak a.txt | Failed to read $x, ignoring: Permission denied⏎Failed to open /sys/a: No such device"
                        + " | oak a.txt | Failed to open /sys/b: No such device | oak-run-device-not-found",
                // A place in a file among lines of a log.
                "bash ci/all.sh | copied a.dat (83 kB)⏎a.py:10:1: 'b' imported but unused⏎maple: failed (1)"
                        + " | bash ci/all.sh | a.py:10:1: 'b' imported but unused | oak-run-unused-import",
                // Brackets around a number are no progress without a percent sign.
                "oak a.txt | Client connecting to port 9⏎[  1] connect failed (Connection refused) | oak a.txt"
                        + " | Connection refused | oak-run-connection-refused",
                // The field of a value is no word of the message.
                "oak -drive file=a,format=raw | oak: -drive file=a,format=raw: Could not open 'a': No such file"
                        + " | oak -hda a | oak: -hda a: Could not open 'a': No such file | oak-run-file-not-found"
            })
    void hash_sameFailureToldInTwoWays_sameHash(
            String action, String error, String otherAction, String otherError, String expected) {
        assertThat(hash("oak", action, error.replace('⏎', '\n'))).isEqualTo(expected);
        assertThat(hash("oak", otherAction, otherError.replace('⏎', '\n'))).isEqualTo(expected);
    }

    /** What has the form of a count, a step or a place, and is or is not the diagnosis. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python | python a.py | Traceback (most recent call last):⏎  File \"a.py\", line 3, in <module>"
                        + "⏎    d[0]⏎KeyError: 0 | python-run-key-error",
                "java | java A | Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: 0"
                        + "⏎\tat A.main(A.java:3) | java-run-out-of-range",
                "java | java A | Exception in thread \"main\" java.lang.IndexOutOfBoundsException: Index: 0, Size: 0"
                        + "⏎\tat A.main(A.java:3) | java-run-out-of-range-index-size",
                "mvn | mvn test | [ERROR] Failures:⏎[ERROR]   FooTest.bar:12 expected: 1 but was: 0⏎[INFO]"
                        + "⏎[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0 | mvn-build-assertion-failed",
                "oak | oak a | oak: invalid number of workers: 0⏎see the manual⏎done | oak-run-number-invalid",
                "oak | oak a | Invalid index: 0⏎see the manual⏎done | oak-run-index-invalid",
                "oak | oak a | [3/10] error: cannot open device /dev/x: Permission denied⏎all done now"
                        + " | oak-run-permission-denied",
                "oak | oak a | [1/1] Error: connection refused⏎stopped early | oak-run-connection-refused",
                "git | git push origin main | To example.org:a.git"
                        + "⏎ ! [remote rejected] main -> main (pre-receive hook declined) | git-push-remote-rejected",
                "git | git push origin release | To example.org:a.git"
                        + "⏎ ! [remote rejected] release -> release (pre-receive hook declined)"
                        + " | git-push-remote-rejected",
                "bash | bash ci/all.sh | server.go:12: loaded configuration from cache⏎tests did not pass: 3 of 9"
                        + " | bash-run-tests-not-pass",
                "oak | oak a | /usr/lib/python3/site.py:10: UserWarning: maple is deprecated as an API."
                        + "⏎cannot reach the database | oak-run-not-running",
                "oak | oak a.rst | a.rst:21: (SEVERE/4) Incomplete section title."
                        + "⏎Exiting due to level-4 (SEVERE) system message. | oak-run-incomplete-section-title"
            })
    void hash_lineWithTheFormOfAnother_whatItSays(String tool, String action, String error, String expected) {
        assertThat(hash(tool, action, error.replace('⏎', '\n'))).isEqualTo(expected);
    }

    /** The status of an answer tells no cause. */
    @ParameterizedTest
    @CsvSource({"api a/b,gh-api-http-404", "pr view 3,gh-pr-view-http-404"})
    void hash_statusOfAnAnswer_theOperationStays(String arguments, String expected) {
        assertThat(hash("gh", "gh " + arguments, "gh: Not Found (HTTP 404)")).isEqualTo(expected);
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
                "No suitable driver found for jdbc:maple | oak-run-not-found-suitable-driver",
                "No resolvable urls given in oak.servers | oak-run-no-given",
                "a.c:1:9: error: ‘oak’ undeclared here (not in a function) | oak-run-undefined-symbol"
            })
    void hash_wordsOfAnotherCause_notThatCause(String error, String expected) {
        assertThat(hash("oak", "oak a.c", error)).isEqualTo(expected);
    }

    @Test
    void hash_warningThatIsAllThatIsSaid_itsCause() {
        String help = "\noak 4.99\n latest revision: 4\nusage: oak [-a] [-b] [-c]\nUse -h for help.";

        assertThat(hash("oak", "oak +D a", "oak: WARNING: can't stat(a): No such file or directory" + help))
                .isEqualTo("oak-run-file-not-found");
    }

    @Test
    void hash_messageBehindErrorOfAProgram_itsWords() {
        assertThat(hash("oak", "oak a", "Error: inaccessible profile file: a")).isEqualTo("oak-run-profile-file");
    }

    private static String hash(String tool, String action, String error) {
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(error, 1))
                .value();
    }
}
