package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures whose first line, class or heading only says that something failed: another line tells the cause. */
final class CauseLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "called `Option::unwrap()` on a `None` value | null-reference",
                "index out of bounds: the len is 2 but the index is 6 | out-of-range",
                "assertion `left == right` failed | assertion-failed",
                "called `Result::unwrap()` on an `Err` value: Os { code: 2, message: \"No such file or directory\" } | file-not-found"
            })
    void hash_panicOfRust_messageBelowIt(String message, String cause) {
        String error = "thread 'main' panicked at src/shop.rs:9:4:\n" + message;

        assertThat(hash("cargo run", error)).endsWith(cause);
        assertThat(hash("cargo run", "thread 'main' panicked at src/shop.rs:9:4:\nbasket not ready for sale"))
                .startsWith("cargo-")
                .isNotEqualTo(hash("cargo run", error));
    }

    @Test
    void hash_arithmeticException_message() {
        String thrown = "Exception in thread \"main\" java.lang.ArithmeticException: ";

        assertThat(hash("java Shop", thrown + "/ by zero")).endsWith("division-by-zero");
        assertThat(hash("java Shop", thrown + "long overflow"))
                .contains("out-of-range")
                .isNotEqualTo(hash("java Shop", thrown + "Rounding necessary"));
    }

    @Test
    void hash_testThatThrew_noFailedAssertion() {
        String counts = "\n\nTest run finished after 31 ms\n[         2 containers found      ]\n"
                + "[         3 tests successful      ]\n[         1 tests failed          ]\n";
        String frame = "\n       shop.BasketTest.empty(BasketTest.java:9)";
        String thrown = "=> java.lang.IllegalStateException: basket rose" + frame + counts;
        String asserted = "=> org.opentest4j.AssertionFailedError: expected: <1> but was: <2>" + frame + counts;

        assertThat(hash("junit execute", asserted)).isEqualTo("junit-run-assertion-failed");
        assertThat(hash("junit execute", thrown)).isEqualTo("java-run-failed");
    }

    @ParameterizedTest
    @CsvSource({
        "object manifest is not a member of package org, scalac-run-module-not-found",
        "object shop is not a member of package io, scalac-run-module-not-found",
        "value sell is not a member of shop.Basket, scalac-run-member-no-such-member"
    })
    void hash_noMember_whetherAPackageIsMissing(String message, String expected) {
        assertThat(hash("scalac Shop.scala", "Shop.scala:3: error: " + message)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"yarn, yarn --offline, yarn install --offline", "bundle, bundle --local, bundle install --local"})
    void hash_toolWithoutOperation_itsUsualOne(String tool, String action, String full) {
        assertThat(hash(action, "frob basket")).isEqualTo(hash(full, "frob basket"));
        assertThat(hash(tool + " frob", "frob basket")).isNotEqualTo(hash(full, "frob basket"));
    }

    @Test
    void hash_warningOfPythonInSeveralLines_noDiagnosis() {
        String warning = "/venv/lib/shop/plugin.py:12: PytestDeprecationWarning: The option \"price\" is unset.\n"
                + "The price of shops will default to zero. "
                + "Set the default price explicitly to avoid unexpected behavior.\n  warnings.warn(PRICE)\n";
        String error = "E   ValueError: no basket named rose";

        assertThat(hash("pytest", warning + error)).isEqualTo(hash("pytest", error));
    }

    @ParameterizedTest
    @CsvSource({
        "pytest, E   Failed: DID NOT RAISE <class 'KeyError'>",
        "npx jest, 'Error: expected basket to throw, nothing was thrown'"
    })
    void hash_expectedExceptionThatNothingThrew_nothingThrown(String action, String error) {
        assertThat(hash(action, error)).contains("nothing-thrown");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Assert.Equal() Failure: Values differ",
                "Assert.AreEqual failed. Expected:<12>. Actual:<13>.",
                "CollectionAssert.AreEquivalent failed. The number of elements differs."
            })
    void hash_assertionOfDotnet_assertionFailed(String message) {
        assertThat(hash("dotnet test", "  Failed Buys [3 ms]\n  Error Message:\n   " + message))
                .isEqualTo("dotnet-assertion-failed");
    }

    @ParameterizedTest
    @CsvSource({"NU1605, nu-1605", "FS0039, fs-0039", "BC30451, bc-30451", "CA1822, ca-1822"})
    void hash_warningAsError_code(String code, String pattern) {
        assertThat(hash("dotnet build", "/src/Shop.proj : error " + code + ": Warning As Error: Basket Rose is odd"))
                .isEqualTo("dotnet-" + pattern);
    }

    @Test
    void hash_passphrase_wrongIsNotMissing() {
        for (String tool : new String[] {"gpg -d a.gpg", "ssh-keygen -p -f key", "pulumi up"}) {
            assertThat(hash(tool, "error: incorrect passphrase"))
                    .contains("wrong-passphrase")
                    .isNotEqualTo(hash(tool, "error: no passphrase was given"));
        }
    }

    /** PowerShell 7 shows the message below the line of the script, with a bar in front. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Cannot index into a null array. | powershell-run-null-reference",
                "Attempted to divide by zero. | powershell-run-division-by-zero",
                "Cannot find path '/srv/rose' because it does not exist. | powershell-run-file-not-found"
            })
    void hash_messageBelowBars_sameAsAlone(String message, String hash) {
        String shown = "Line |\n   4 |  $roses[3].Price\n     |  ~~~~~~~~~~~~~~~\n     | " + message;

        assertThat(powershell("$roses[3].Price", shown)).isEqualTo(hash);
        assertThat(powershell("$roses[3].Price", message + "\n    + FullyQualifiedErrorId : RuntimeException"))
                .isEqualTo(hash);
    }

    /** The id is the same in all languages; it decides where the words are translated or vague. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Set-Location : Cannot find drive. A drive with the name 'R' does not exist. | Das Laufwerk \"R\" wurde nicht gefunden. | DriveNotFound | drive-not-found",
                "Get-Item : Cannot bind argument to parameter 'Path' because it is null. | L'argument est Null. | ParameterArgumentValidationErrorNullNotAllowed | argument-null",
                "The property 'Rose' cannot be found on this object. Verify that the property exists. | Die Eigenschaft \"Rose\" wurde nicht gefunden. | PropertyNotFoundStrict | no-such-member",
                "The string is missing the terminator: '. | Die Zeichenfolge hat kein Abschlusszeichen: '. | TerminatorExpectedAtEndOfString | syntax-error"
            })
    void hash_errorIdOfPowerShell_anyLanguage(String english, String translated, String id, String cause) {
        String line = "\n    + FullyQualifiedErrorId : " + id + ",Microsoft.PowerShell.Commands.RoseCommand";

        assertThat(powershell("Set-Location R:", english)).endsWith(cause);
        assertThat(powershell("Set-Location R:", english + line)).endsWith(cause);
        assertThat(powershell("Set-Location R:", translated + line)).endsWith(cause);
    }

    @Test
    void hash_innerExceptionOfDotNet_itsCause() {
        String wrapped = "Unhandled exception. Shop.SaveException: An error occurred. See the inner exception.\n"
                + " ---> System.NullReferenceException: Object reference not set to an instance of an object.\n"
                + "   at Shop.Basket.Save() in Basket.cs:line 3\n   --- End of inner exception stack trace ---";
        String cancelled = "Unhandled exception. System.Threading.Tasks.TaskCanceledException: The Timeout elapsed.\n"
                + " ---> System.Threading.Tasks.TaskCanceledException: A task was canceled.";

        assertThat(hash("dotnet run", wrapped)).endsWith("null-reference");
        assertThat(hash("dotnet run", cancelled)).contains("timeout");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "uv sync | rose was not found in the package registry and shop depends on rose, it cannot be used. | package-not-found",
                "uv sync | only rose<=1.2 is available and you require rose>=2, your requirements are unsatisfiable. | dependency-conflict"
            })
    void hash_boxOfAResolver_lastLineOfTheBox(String action, String reason, String cause) {
        String error = "  × No solution found when resolving dependencies:\n  ╰─▶ Because " + reason;

        assertThat(hash(action, error)).endsWith(cause);
    }

    @Test
    void hash_messageOfAnExceptionInSeveralLines_lineThatTells() {
        String error = "ShopClientKnownRequestError: \nInvalid `rose.create()` invocation in\n/srv/shop.ts:3:9\n"
                + "Unique constraint failed on the fields: (`name`)\n    at request (/srv/runtime.js:1:2)\n";

        assertThat(hash("node shop.js", error)).endsWith("unique-violation");
    }

    @Test
    void hash_fieldsOfALineOfALog_messageAndItsError() {
        String fields = "ts=2026-01-02T03:04:05Z caller=main.go:9 level=error component=web msg=\"Starting\" "
                + "err=\"listen tcp :9090: bind: address already in use\"";

        assertThat(hash("./shopd", fields)).endsWith("address-in-use");
        assertThat(hash("./shopd", "FATA[0003] no such host: rose.example")).endsWith("dns-failure");
        assertThat(hash("./shopd", "FATA[\nERRO[0001]\nlevel=error msg=\" \"\nmsg=\nlevel= msg="))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "./rose.py:3:1: E302 expected 2 blank lines, found 1 | e302",
                "E501 Line with 3 words more | e501",
                "Dockerfile:3 DL3008 warning: Pin versions in apt get install. | dl3008",
                "a.py:3:1: F401 `rose` imported but unused | unused-import"
            })
    void hash_ruleOfALinter_whereTheWordsNameNoCause(String error, String cause) {
        assertThat(hash("rose-lint .", error)).endsWith(cause);
    }

    @Test
    void hash_lineOfALogOfKubernetes_noRule() {
        assertThat(hash("rose-lint .", "E1124 12:03:01.123456 1 rose.go:265] dial tcp: connection refused"))
                .endsWith("connection-refused");
    }

    private static String hash(String action, String error) {
        return hash("shell", action, error);
    }

    private static String powershell(String action, String error) {
        return hash("powershell", action, error);
    }

    private static String hash(String tool, String action, String error) {
        String stored = Excerpt.of(tool, action, error).text();
        return new RuleBasedHasher()
                .hash(HashInput.of(tool, action).error(stored, 1))
                .value();
    }
}
