package dev.xmem.core.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.Limits;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as users type them: invalid ones, forms, and the dialog of a session. */
class SlashCommandsTest {
    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();
    private static final String RECALL =
            "/xmem:recall tool=npm action=\"npm install\" error=\"npm ERR! network timeout\"";

    private final XMemStore store = XMem.inMemoryBuilder()
            .clock(InstantSource.fixed(Instant.parse("2026-02-14T16:30:00Z")))
            .open();
    private final SlashCommands commands = SlashCommands.on(store);

    @AfterEach
    void close() {
        store.close();
    }

    private String ok(String line, String session) {
        SlashCommands.Reply reply = commands.execute(line, session);
        assertThat(reply.ok()).as(reply.text()).isTrue();
        return reply.text();
    }

    private String refused(String line) {
        SlashCommands.Reply reply = commands.execute(line, "s1");
        assertThat(reply.ok()).as(reply.text()).isFalse();
        return reply.text();
    }

    private Failure recorded(String line) {
        ok(line, "s1");
        return (Failure) store.search(Query.all().limit(1)).matches().get(0).entry();
    }

    @Nested
    class Wrong {
        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                value = {
                    "/xmem:lod#There is no command /xmem:lod.#Usage:",
                    "/xmem:#There is no command /xmem:.#Usage:",
                    "/xmem:load-all#There is no command /xmem:load-all.#Usage:",
                    "/xmem:loadtool=git#There is no command /xmem:loadtool=git.#Usage:",
                    "/xmem:load limit=0#limit takes a whole number of 1 or more, not \"0\"#Usage: /xmem:load",
                    "/xmem:load budget=ten#budget takes a whole number of 100 or more#[budget=<tokens>]",
                    "/xmem:search a budget=1#budget takes a whole number of 100 or more#[budget=<tokens>]",
                    "/xmem:load limit=ten#limit takes a whole number#Usage: /xmem:load",
                    "/xmem:load --lmit=3#unknown option --lmit#Usage: /xmem:load",
                    "/xmem:search#What should be searched for?#Usage: /xmem:search",
                    "/xmem:search --offset=-1#offset takes a whole number of 0 or more#Usage: /xmem:search",
                    "/xmem:search tag=\"open#a quote is opened and not closed#Usage: /xmem:search",
                    "/xmem:search since=monday#since takes a day#Usage: /xmem:search",
                    "/xmem:search order=oldest#order is newest or relevance#Usage: /xmem:search",
                    "/xmem:search /(/#does not compile#Usage: /xmem:search",
                    "/xmem:search cursor=x#cursor#Usage: /xmem:search",
                    "/xmem:record#What should be recorded?#Usage: /xmem:record",
                    "/xmem:record fail#Cannot record \"fail\".#Usage: /xmem:record",
                    "/xmem:record failure tool=git#Error message is missing.#Usage: /xmem:record",
                    "/xmem:record failure error=x#Tool name is missing.#Usage: /xmem:record",
                    "/xmem:record failure tool=\"\" error=x#Tool name is missing.#Usage: /xmem:record",
                    "/xmem:record failure tool=git error=\"x#a quote is opened and not closed#Usage: /xmem:record",
                    "/xmem:record failure tool=git eror=x#unknown key eror; known are tool, command#Usage: /xmem:record",
                    "/xmem:record failure git push#expected key=value, found \"git push\"#Usage: /xmem:record",
                    "/xmem:record failure tool=a error=b block_level=bad#block_level must be warning or critical#Usage:",
                    "/xmem:record failure tool=a error=b confidence=1#unknown key confidence#Usage: /xmem:record",
                    "/xmem:record success tool=git#Pattern name is missing.#Usage: /xmem:record",
                    "/xmem:record success tool=git name=x error=y#unknown key error; known are tool, name#Usage:",
                    "/xmem:record success tool=git name=x confidence=2#confidence must be a number#Usage: /xmem:record",
                    "/xmem:record success tool=git name=x params=\"{oops\"#critical_params#Usage: /xmem:record",
                    "/xmem:recall#tool is missing.#Usage: /xmem:recall",
                    "/xmem:recall tool=git#error is missing.#Usage: /xmem:recall",
                    "/xmem:recall tool=git error=x exit_code=one#exit_code must be a whole number#Usage: /xmem:recall",
                    "/xmem:recall tool=git error=\"x#a quote is opened and not closed#Usage: /xmem:recall",
                    "/xmem:stats now#/xmem:stats takes no arguments, found: now#Usage: /xmem:stats",
                    "/xmem:compact --prune-after-days none#--prune-after-days needs a number of days#Usage: /xmem:compact",
                    "/xmem:compact --dry#unknown option --dry#Usage: /xmem:compact [--dry-run] [--prune-after-days <N>]",
                    "hello#A command begins with /xmem: and a name#/xmem:help",
                    "''#A command begins with /xmem:#/xmem:help",
                    "yes#A command begins with /xmem:#/xmem:help",
                })
        void execute_wrong_saysWhatAndTheUsage(String line, String what, String usage) {
            assertThat(refused(line)).contains(what, usage);
            assertThat(store.search(Query.all()).total()).isZero();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/xmem:",
                    "/xmem:stats ",
                    "/xmem:record ",
                    "/xmem:compact ",
                    "/xmem:record failure ",
                    "/xmem:load limit=",
                    "/xmem:search since="
                })
        void execute_veryLong_answersShortly(String begin) {
            assertThat(TOKENS.estimate(refused(begin + "x".repeat(100_000)))).isLessThan(300);
            assertThat(refused(begin + "\u001B[31m\u0007red"))
                    .doesNotContain("\u001B")
                    .doesNotContain("\u0007");
        }

        @Test
        void execute_nothingAtAll_isAMistakeOfTheProgram() {
            assertThatThrownBy(() -> commands.execute(null, "s1")).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> commands.execute("/xmem:stats", null)).isInstanceOf(NullPointerException.class);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"/xmem:stats", "/xmem:load", "/xmem:search x", "/xmem:record failure tool=a error=b", RECALL
                })
        void execute_closedStore_isClosed(String line) {
            store.close();
            assertThatThrownBy(() -> commands.execute(line, "s1")).isInstanceOf(XMemException.Closed.class);
        }

        @Test
        void execute_whatTheStoreRefuses_isAnswered() {
            try (XMemStore small =
                    XMem.inMemoryBuilder().limits(Limits.defaults().tagChars(3)).open()) {
                SlashCommands.Reply reply =
                        SlashCommands.on(small).execute("/xmem:record failure tool=a error=b tags=long-tag", "s1");
                assertThat(reply.ok()).isFalse();
                assertThat(reply.text()).contains("the limit is 3", "Usage: /xmem:record");
            }
        }
    }

    @Nested
    class Forms {
        @ParameterizedTest
        @ValueSource(strings = {"/xmem:record failure", "  /xmem:RECORD  Failure \n", "/xmem:record failure\n\n"})
        void record_alone_asks(String line) {
            assertThat(ok(line, "s1")).startsWith("/xmem:record failure\nTool name:\nCommand:\n");
        }

        @Test
        void record_filledForm_isStored() {
            Failure failure = recorded("""
                    /xmem:record failure
                    Tool name: npm
                    Command: npm ci
                    Error message: npm ERR! code ELOCK
                      npm ERR! path: /a
                      Command: this line belongs to the error
                    Pattern to avoid: Do not run it twice
                    Tags: npm, lock,, ci
                    additional NOTES: none: really
                      the second line

                      the last
                    """);
            assertThat(failure.tool()).isEqualTo("npm");
            assertThat(failure.action()).isEqualTo("npm ci");
            assertThat(failure.error()).contains("ELOCK", "Command: this line belongs to the error");
            assertThat(failure.patternAvoid()).isEqualTo("Do not run it twice");
            assertThat(failure.tags()).containsExactly("npm", "lock", "ci");
            assertThat(failure.notes()).isEqualTo("none: really\n  the second line\n\n  the last");
            assertThat(failure.sessionId()).isEqualTo("s1");
        }

        @Test
        void record_formWithoutEnoughAnswers_namesTheQuestion() {
            assertThat(refused("/xmem:record failure\nTool name: npm\nCommand: x\nError message:\nTags: a"))
                    .startsWith("Error message is missing.");
        }

        @Test
        void record_formWithWindowsLineEnds_isStored() {
            assertThat(recorded("/xmem:record failure\r\nTool name: npm\r\nError message: a\r\nTags: b\r\n")
                            .tags())
                    .containsExactly("b");
        }

        @Test
        void record_keyValues_isStored() {
            Failure failure =
                    recorded("/xmem:record failure tool=npm command=\"npm ci \\\"x\\\"\" error=\"a = b\nTags: c\""
                            + " avoid=\"say \\\\ no\" tags=a,b notes=n tried_also=\"one; two\" block_level=Critical");
            assertThat(failure.action()).isEqualTo("npm ci \"x\"");
            assertThat(failure.error()).contains("a = b");
            assertThat(failure.patternAvoid()).isEqualTo("say \\ no");
            assertThat(failure.tags()).containsExactly("a", "b");
            assertThat(failure.triedAlso()).containsExactly("one", "two");
            assertThat(failure.blockLevel()).isEqualTo(Failure.BlockLevel.CRITICAL);
        }

        @Test
        void record_otherNamesOfTheKeys_areTheSame() {
            Failure failure = recorded("/xmem:record failure --tool=npm ACTION=ci error_message=boom pattern_avoid=it");
            assertThat(failure.action()).isEqualTo("ci");
            assertThat(failure.error()).isEqualTo("boom");
            assertThat(failure.patternAvoid()).isEqualTo("it");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/xmem:record success\nTool name: git\nPattern name: Push\nKey steps:\n1. Fetch\n2) Rebase\n- Push"
                            + "\nCritical parameters: remote: origin, force=no\nTags: git",
                    "/xmem:record success tool=git pattern=Push key_steps=\"Fetch; Rebase;Push\""
                            + " critical_params=\"remote: origin, force=no\" tags=git",
                    "/xmem:record success tool=git pattern_name=Push steps=\"1. Fetch\n2. Rebase\n* Push\""
                            + " params=\"{\\\"remote\\\":\\\"origin\\\",\\\"force\\\":\\\"no\\\"}\" tags=git",
                })
        void record_success_isStored(String line) {
            ok(line, "s1");
            Success success =
                    (Success) store.search(Query.all()).matches().get(0).entry();
            assertThat(success.patternName()).isEqualTo("Push");
            assertThat(success.keySteps()).containsExactly("Fetch", "Rebase", "Push");
            assertThat(success.criticalParams()).isEqualTo("{\"remote\":\"origin\",\"force\":\"no\"}");
            assertThat(success.tags()).containsExactly("git");
            assertThat(success.sessionId()).isEqualTo("s1");
        }
    }

    @Nested
    class Talks {
        private static final String OFFER_TO_RECORD = "Record this failure";

        private void know() {
            ok(
                    "/xmem:record failure tool=npm command=\"npm install\" error=\"npm ERR! network timeout\" avoid=\"Run with `npm ping` first\"",
                    "s0");
        }

        @Test
        void yes_afterAnOffer_showsOnce() {
            know();
            assertThat(ok(RECALL, "s1")).contains("I found 1 previous failure with this tool (just now).");
            assertThat(ok(" Yes ", "s1"))
                    .contains("Error: npm ERR! network timeout", "💡 Suggestion: Run 'npm ping' to run");
            assertThat(refused("yes")).contains("/xmem:help");
        }

        @Test
        void offer_severalFailures_saysHowManyAndWhenLast() {
            know();
            know();
            assertThat(ok(RECALL, "s1")).contains("I found 2 previous failures with this tool (last just now).");
        }

        @ParameterizedTest
        @ValueSource(strings = {"no", "N", " No\n"})
        void no_afterAnOffer_endsIt(String no) {
            know();
            ok(RECALL, "s1");
            assertThat(ok(no, "s1")).isEqualTo("Understood.");
            assertThat(refused("yes")).contains("/xmem:help");
        }

        @Test
        void somethingElse_afterAnOffer_leavesItOpen() {
            know();
            ok(RECALL, "s1");
            assertThat(refused("yes please")).contains("/xmem:help");
            ok("/xmem:stats", "s1");
            assertThat(ok("y", "s1")).contains("Error: npm ERR! network timeout");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '#',
                value = {
                    "tool=make action=all error=\"compiling a.c ^C\" exit_code=130",
                    "tool=make action=all error=^C",
                    "tool=make action=all error=\"building\\n^Cmake: [all] Interrupt\" exit_code=2",
                    "tool=gti action=status error=\"gti: command not found\" exit_code=127",
                    "tool=git action=\"psuh origin\" error=\"git: 'psuh' is not a git command. Did you mean push?\" exit_code=1",
                    "tool=python3 action=a.py error=KeyboardInterrupt",
                })
        void recall_trivialFailure_makesNoOffer(String arguments) {
            ok(RECALL, "s1");
            String reply = ok("/xmem:recall " + arguments.replace("\\n", "\n"), "s1");
            assertThat(reply).startsWith("Nothing to record: it was ").doesNotContain("yes/no");
            assertThat(commands.asks("s1")).isFalse();
            assertThat(refused("yes")).contains("/xmem:help");
            assertThat(store.search(Query.all()).total()).isZero();
        }

        @Test
        void record_trivialFailure_obeys() {
            assertThat(recorded("/xmem:record failure tool=make command=all error=^C")
                            .tool())
                    .isEqualTo("make");
        }

        @Test
        void answer_lineForTheModel_isEmptyUnlessAQuestionIsOpen() {
            assertThat(commands.answer("record this, please", "s1")).isEmpty();
            assertThat(commands.answer("git", "s1")).isEmpty();
            assertThat(commands.answer("/xmem:record failure error=rejected", "s1"))
                    .hasValueSatisfying(reply -> assertThat(reply).contains("Tool name?"));
            assertThat(commands.answer("git", "s2")).isEmpty();
            assertThat(commands.answer("git", "s1"))
                    .hasValueSatisfying(reply -> assertThat(reply).contains("Command?"));
        }

        @Test
        void answer_wrongCommandOrClosedStore_saysSo() {
            assertThat(commands.answer(" /xmem:lod", "s1"))
                    .hasValueSatisfying(reply -> assertThat(reply).contains("There is no command /xmem:lod."));
            store.close();
            assertThat(commands.answer("/xmem:stats", "s1"))
                    .hasValueSatisfying(reply -> assertThat(reply).contains("closed"));
            assertThat(commands.answer("hello", "s1")).isEmpty();
        }

        @Test
        void answer_ofAQuestionThatCannotBeRecorded_saysSo() {
            commands.answer("/xmem:record failure tool=git command=push pattern_avoid=x", "s1");
            assertThat(commands.asks("s1")).isTrue();
            store.close();
            assertThat(commands.answer("rejected", "s1"))
                    .hasValueSatisfying(reply -> assertThat(reply).contains("closed"));
        }

        @Test
        void record_withoutRequiredAnswers_asksForThem() {
            SlashCommands.Reply first = commands.execute("/xmem:record failure tags=ci", "s1");
            assertThat(first.ok()).isFalse();
            assertThat(first.text())
                    .startsWith("Tool name and Error message are missing.")
                    .contains("command (or action)", "avoid (or pattern_avoid)", "tried_also, block_level", "signature")
                    .endsWith("Tool name? (\"cancel\" to record nothing)");
            assertThat(ok("git", "s1")).startsWith("Command? (\"-\" for none");
            assertThat(ok("push origin", "s1")).startsWith("Error message?");
            assertThat(ok("  ", "s1")).startsWith("Error message?");
            assertThat(ok("rejected", "s1")).startsWith("Pattern to avoid?");
            assertThat(commands.asks("s1")).isTrue();
            assertThat(ok("-", "s1")).startsWith("✅ Recorded failure");
            assertThat(commands.asks("s1")).isFalse();
            Failure stored =
                    (Failure) store.search(Query.all()).matches().get(0).entry();
            assertThat(List.of(stored.tool(), stored.action(), stored.error()))
                    .containsExactly("git", "push origin", "rejected");
            assertThat(stored.patternAvoid()).isNull();
        }

        @Test
        void record_openQuestion_endsWithCancelOrAnotherCommand() {
            commands.execute("/xmem:record success tool=git", "s1");
            assertThat(ok("Cancel", "s1")).isEqualTo("Nothing was recorded.");
            commands.execute("/xmem:record success tool=git", "s1");
            ok("/xmem:stats", "s1");
            assertThat(commands.asks("s1")).isFalse();
            assertThat(store.search(Query.all()).total()).isZero();
        }

        @Test
        void yes_toRecording_givesTheFormWithWhatIsKnown() {
            assertThat(ok(RECALL, "s1")).startsWith(OFFER_TO_RECORD);
            String form = ok("yes", "s1");
            assertThat(form)
                    .isEqualTo("/xmem:record failure\nTool name: npm\nCommand: npm install\n"
                            + "Error message: npm ERR! network timeout\nPattern to avoid:\nTags (comma-separated):\n"
                            + "Additional notes:");
            assertThat(recorded(form.replace("avoid:", "avoid: Give it time")).patternAvoid())
                    .isEqualTo("Give it time");
            assertThat(ok(RECALL, "s1")).contains("I found 1 previous failure");
        }

        @Test
        void newOffer_replacesTheLastOfTheSession() {
            ok(RECALL, "s1");
            know();
            ok(RECALL, "s1");
            assertThat(ok("yes", "s1")).contains("] evidence", "\nEntry: ");
        }

        @Test
        void twoSessions_doNotMix() {
            ok(RECALL, "one");
            know();
            ok(RECALL, "two");
            assertThat(refused("yes")).contains("/xmem:help");
            assertThat(ok("yes", "one")).startsWith("/xmem:record failure");
            assertThat(ok("yes", "two")).contains("] evidence", "\nEntry: ");
        }

        @Test
        void twoCommandsOnOneStore_doNotMix() {
            ok(RECALL, "s1");
            assertThat(SlashCommands.on(store).execute("yes", "s1").ok()).isFalse();
        }

        @Test
        void moreThanAThousandSessions_theOldestIsForgotten() {
            for (int i = 0; i <= 1000; i++) {
                ok(RECALL, "session-" + i);
            }
            assertThat(commands.execute("yes", "session-0").ok()).isFalse();
            assertThat(commands.execute("yes", "session-1").ok()).isTrue();
            assertThat(commands.execute("yes", "session-1000").ok()).isTrue();
        }
    }
}
