package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.XMemException;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Budgets, suggestions, prompts and the wait for a lock. */
class SmallTruthsTest {
    @TempDir
    Path folder;

    private Xmem at(boolean terminal, String typed, String... args) {
        Map<String, String> variables =
                Map.of("XMEM_STORE", folder.resolve("store").toString());
        return Xmem.in(new Environment(variables, folder, folder, terminal), typed, args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"load", "search", "/xmem:load", "/xmem:search", "--json search", "--json load"})
    void page_withALargerBudget_isLowered(String command) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 70; i++) {
            lines.append(
                            "{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push\",\"error\":\"e\",\"pattern_avoid\":\"")
                    .append("one two three ".repeat(150))
                    .append("\"}\n");
        }
        assertThat(at(false, lines.toString(), "record").code()).isZero();
        String[] args = (command + " tool=git budget=1000000").split(" ");
        Xmem page = at(false, "", args);
        assertThat(page.code()).as(page.err()).isZero();
        assertThat(TokenEstimator.heuristic().estimate(page.out().strip())).isLessThanOrEqualTo(15_000);
        assertThat(page.out()).contains("The budget was lowered to the store's, 15K tokens.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"amend 2026-02-14-001 pin", "amend 2026-02-14-001 dismiss", "compact dry-run"})
    void bareOption_isSuggestedWithHyphens(String line) {
        Xmem refused = at(false, "", line.split(" "));
        assertThat(refused.code()).isEqualTo(Main.FAILED);
        assertThat(refused.err()).contains("did you mean --" + line.substring(line.lastIndexOf(' ') + 1));
    }

    /** An argument that is empty where it names something is a variable of a shell that is not set. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "amend '' --pin|ID",
                "amend 1 --superseded-by ''|--superseded-by",
                "outcome '' worked --session s|ID",
                "sync --remote ''|--remote",
                "clone ''|URL-OR-PATH",
                "export --to ''|--to",
                "export --remote '' --branch m|--remote",
                "import ''|PATH",
                "replay ''|PATH",
                "--store '' stats|--store",
            })
    void emptyName_isRefused(String line, String named) throws IOException {
        at(false, "", "record", "failure", "tool=git", "error=x");
        String[] args = line.replace("''", "").split(" ", -1);
        Xmem refused = at(false, "", args);
        assertThat(refused.code()).isEqualTo(Main.FAILED);
        assertThat(refused.err()).contains(named + " must not be empty");
        assertThat(at(false, "", "search", "tool=git").out()).doesNotContain("pinned", "dismissed");
    }

    /** A session may be unknown: xmem run does not keep a build from running. */
    @ParameterizedTest
    @ValueSource(strings = {"run --session '' -- true", "record failure --session '' tool=git error=y"})
    void emptySession_isNoError(String line) {
        assertThat(at(false, "", line.replace("''", "").split(" ", -1)).code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "report --html nowhere/o.html|--html must name a file in a folder that exists, not \"nowhere/o.html\"",
                "export --to nowhere|--to must name a folder that exists, in a git work tree",
                "sync --remote https://user:pw@localhost/x.git|leave it out, and set XMEM_GIT_TOKEN to the token",
                "remember always deploy today|xmem: The sentence speaks of something that is over soon (\"today\")",
                "purge nope|xmem: no entry has the id nope",
                "--store file record|Not a directory",
                "--store file/below record|file/below: ",
            })
    void wrongUse_isToldInTheWordsOfTheUser(String line, String told) throws IOException {
        at(false, "", "record", "failure", "tool=git", "error=x");
        Files.writeString(folder.resolve("file"), "");
        String[] args = line.replace("--store file", "--store " + folder.resolve("file"))
                .split(" ");
        Xmem refused = at(false, "{}", args);
        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains(told).doesNotContain("java.", "Exception", "credentials()");
    }

    @Test
    void recordedLine_thatCannotBe_saysWhatIsMissingOrTooLong() {
        assertThat(at(false, "{\"type\":\"note\"}\n", "record").err())
                .contains("content is missing: every type but tool_failure and tool_success needs one");
        String tooLong = "{\"type\":\"note\",\"content\":\"" + "x".repeat(5_000_000) + "\"}\n";
        assertThat(at(false, tooLong, "record").err())
                .contains("the length of the line in characters is 5000028, the limit is 4194304. Shorten it.")
                .doesNotContain("Limits");
        String cut = "{\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"" + "x y\\n".repeat(300_000) + "\"}\n";
        assertThat(at(false, cut, "record").code()).isZero();
    }

    @Test
    void misspelledKey_isSuggested() {
        at(false, "", "record", "failure", "tool=git", "error=x");
        Xmem refused = at(false, "", "search", "tol=git");
        assertThat(refused.code()).isEqualTo(Main.FAILED);
        assertThat(refused.err()).contains("did you mean tool=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"record failure", "/xmem:record failure"})
    void recordAtATerminal_withPartOfTheFields_asksForTheRest(String command) {
        String[] args = (command + " tool=git").split(" ");
        Xmem recorded = at(true, "push\nrejected\nPull first\n", args);
        assertThat(recorded.code()).as(recorded.out() + recorded.err()).isZero();
        assertThat(at(false, "", "load").out())
                .contains("Tool: git", "Error: rejected", "Pattern to avoid: Pull first");
    }

    @Test
    void slashRecordAtATerminal_asksForEveryField() {
        Xmem recorded = at(true, "git\npush\nrejected\n\nPull first\n\n\n", "/xmem:record", "failure");
        assertThat(recorded.code()).as(recorded.out() + recorded.err()).isZero();
        assertThat(recorded.err()).contains("Tool name: ", "Pattern to avoid: ");
        assertThat(at(false, "", "load").out()).contains("Error: rejected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"record", "/xmem:record"})
    void recordAtATerminal_withoutAKind_asksForItFirst(String command) {
        Xmem recorded = at(true, "what?\nf\ngit\npush\nrejected\n\nPull first\n\n\n", command);
        assertThat(recorded.code()).as(recorded.out() + recorded.err()).isZero();
        assertThat(recorded.err()).contains("Record a failure or a success? ", "Tool name: ");
        assertThat(at(false, "", "load").out()).contains("Error: rejected");
        assertThat(at(true, "", command).err()).contains("nothing was recorded; record - reads lines of JSON");
        assertThat(at(true, "{\"type\":\"note\",\"content\":\"tea\"}\n", "record", "-")
                        .out())
                .doesNotContain("failure or a success");
    }

    @ParameterizedTest
    @ValueSource(strings = {"record failure", "/xmem:record failure"})
    void recordWithoutTerminal_saysWhatIsMissing(String command) {
        Xmem refused = at(false, "", (command + " tool=git").split(" "));
        assertThat(refused.code()).isEqualTo(Main.REFUSED);
        assertThat(refused.out()).contains("Error message is missing.", "error (or error_message)");
    }

    @Test
    void busy_afterOneLongAttempt_isThrownWithTheWholeWait() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> BusyRetry.call(
                        () -> {
                            attempts.incrementAndGet();
                            throw new XMemException.Busy(folder, Duration.ofMillis(250));
                        },
                        0))
                .isInstanceOf(XMemException.Busy.class);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void page_ofTheShell_namesCommandsOfTheShell() {
        String line = "{\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"it's rejected %d\"}\n";
        assertThat(at(false, line.formatted(1) + line.formatted(2), "record").code())
                .isZero();

        assertThat(at(false, "", "search", "tool=git", "limit=1").out())
                .endsWith("(xmem search tool=git limit=1 --offset=1)\n");
        assertThat(at(false, "", "load", "limit=1").out()).endsWith("(xmem load order=newest limit=1 --offset=1)\n");
        assertThat(at(false, "", "search", "\"it's rejected\"", "limit=1").out())
                .endsWith("(xmem search '\"it'\\''s rejected\" limit=1' --offset=1)\n");
        assertThat(at(false, "", "search", "nowhere").out()).endsWith("; xmem stats shows what there is.\n");
    }

    @Test
    void record_typeThatIsNoText_isRefusedWithoutAnEmptyOne() {
        assertThat(at(false, "{\"type\":5}", "record").err()).contains("found no text");
        assertThat(at(false, "{}", "record").err()).contains("found none");
    }
}
