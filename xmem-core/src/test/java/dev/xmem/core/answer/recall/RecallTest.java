package dev.xmem.core.answer.recall;

import static dev.xmem.core.answer.search.Stores.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.spi.HashInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes back for a failure that was seen before, in which order. */
class RecallTest {
    private static final String ERROR = "Failed to create file system: didn't find section in config file";
    private static final String HASH = "rclone-sync-config-not-found";

    private final XMemStore store = Stores.inMemory();

    private static Advice recall(XMemStore from, String action) {
        return from.recall(ToolCall.shell("rclone " + action), ToolError.exit(1, ERROR));
    }

    private static String hash(String line, String error) {
        HashInput call = HashInput.of(ToolCall.shell(line));
        return XMem.hasher().hash(call.error(error, 1)).value();
    }

    private static List<String> ids(Advice advice) {
        return advice.matches().stream().map(match -> match.entry().id()).toList();
    }

    private static String failure(String id, String ts) {
        return "{'id':'" + id + "','ts':'" + ts + "','type':'tool_failure','tool':'rclone','action':'sync','error':'x',"
                + "'ctx_hash':'" + HASH + "'}";
    }

    @Test
    void recall_nothingRecorded_saysSo() {
        Advice advice = recall(store, "sync a: /b");
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(advice.isEmpty()).isTrue();
        assertThat(advice.matches()).isEmpty();
        assertThat(advice.tokens()).isZero();
        assertThat(advice.reason()).contains(HASH);
    }

    @Test
    void recall_sameFailureElsewhere_bringsTheLesson() {
        String id = store.recordFailure(Failure.of("rclone", "sync gdrive-jimmy:folder /local/path", ERROR)
                        .patternAvoid("Verify the name"))
                .id();
        Advice advice = recall(store, "sync work:b /mnt/c");
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(ids(advice)).containsExactly(id);
        assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.EXACT);
        assertThat(advice.text()).startsWith("\n").contains("Verify the name").contains(id);
    }

    /** What was told is kept prepared, as long as the entry is there and is not amended. */
    @Test
    void recall_afterTheEntriesThatWereToldAreErased_saysNothingOfThem() {
        String id = store.recordFailure(Failure.of("rclone", "sync a: /b", ERROR)
                        .patternAvoid("Verify the name")
                        .triedAlso("rclone --retries 9"))
                .id();
        String fix = store.recordSuccess(Success.of("rclone", "Name with colon")
                        .keySteps("rclone listremotes")
                        .answers(id))
                .id();
        String kept = store.recordFailure(
                        Failure.of("rclone", "sync c: /d", ERROR).patternAvoid("Run rclone config"))
                .id();
        for (int i = 0; i < 2; i++) {
            assertThat(recall(store, "sync x: /y").text())
                    .contains("Verify the name", "rclone --retries 9", "rclone listremotes", "Run rclone config");
        }
        store.reportOutcome(id, Outcome.FAILED, "s1");
        assertThat(recall(store, "sync x: /y").text()).contains("do not try: Verify the name", "failed 1 of 1");
        store.purge(Set.of(id, fix));
        Advice advice = recall(store, "sync x: /y");
        assertThat(ids(advice)).containsExactly(kept);
        assertThat(advice.text())
                .contains("Run rclone config")
                .doesNotContain("Verify", "--retries", "listremotes", id, fix);
    }

    /** A compaction may leave many lessons in one line; of long ones, the beginning is told. */
    @Test
    void recall_manyLessonsThatBeginAlike_tellsTheOtherOneToo(@TempDir Path directory) {
        String hash;
        try (XMemStore other = Stores.in(directory)) {
            hash = other.recordFailure(Failure.of("rclone", "sync a: /b", ERROR))
                    .ctxHash();
        }
        String alike = IntStream.range(0, 40)
                .mapToObj(i -> "'" + "Verify the name. ".repeat(20) + i + "'")
                .collect(Collectors.joining(","));
        Stores.append(
                directory,
                "failures.jsonl",
                "{'id':'2026-01-01-001','ts':'2026-01-01T00:00:00Z','type':'tool_failure','tool':'rclone','action':'sync',"
                        + "'error':'e','ctx_hash':'" + hash + "','further_advice':[" + alike + ",'Use a remote']}");
        try (XMemStore other = Stores.in(directory)) {
            assertThat(recall(other, "sync x: /y").text()).contains("Verify the name.", "Use a remote");
        }
    }

    @Test
    void recall_anotherTool_isNothing() {
        store.recordFailure(Failure.of("rclone", "sync a: /b", ERROR));
        assertThat(store.recall(ToolCall.shell("npm install x"), ToolError.exit(1, "npm ERR! code E404"))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void recall_severalOfAFamily_areNewestFirst() {
        List<String> ids = record(
                store,
                failure("2026-01-01-001", "2026-01-01T00:00:00Z"),
                failure("2026-01-02-001", "2026-01-02T00:00:00Z"));
        assertThat(ids(recall(store, "sync a: /b"))).containsExactly(ids.get(1), ids.get(0));
    }

    @Test
    void recall_linesNotInTheOrderOfTheirTimes_areNewestFirst(@TempDir Path directory) {
        Stores.append(
                directory,
                "failures.jsonl",
                failure("2026-01-02-001", "2026-01-02T00:00:00Z"),
                failure("2026-01-03-001", "2026-01-03T00:00:00Z"),
                failure("2026-01-01-001", "2026-01-01T00:00:00Z"),
                failure("2026-01-03-002", "2026-01-03T00:00:00Z"));
        try (XMemStore files = Stores.in(directory)) {
            assertThat(ids(recall(files, "sync a: /b")))
                    .containsExactly("2026-01-03-002", "2026-01-03-001", "2026-01-02-001", "2026-01-01-001");
        }
    }

    @Test
    void recall_aNewLineAmongManyOldOnes_isAmongTheMatches(@TempDir Path directory) {
        Stores.append(directory, "failures.jsonl", failure("2026-02-01-001", "2026-02-01T00:00:00Z"));
        for (int i = 0; i < 200; i++) {
            Stores.append(directory, "failures.jsonl", failure("2026-01-01-" + (1000 + i), "2026-01-01T00:00:00Z"));
        }
        try (XMemStore files = Stores.in(directory)) {
            assertThat(ids(recall(files, "sync a: /b"))).startsWith("2026-02-01-001");
        }
    }

    @Test
    void recall_manyAnswersToOneFailure_readsTheNewest() {
        String failure =
                store.recordFailure(Failure.of("rclone", "sync a: /b", ERROR)).id();
        String newest = "";
        for (int i = 0; i < 300; i++) {
            newest = store.recordSuccess(
                            Success.of("rclone", "way " + i).signature("way").answers(failure))
                    .id();
        }
        assertThat(ids(recall(store, "sync a: /b"))).contains(newest).hasSizeBetween(10, 50);
    }

    @Test
    void recall_sameSubject_isBeforeNewerOnesOfTheFamily() {
        String same = store.recordFailure(
                        Failure.of("git", "push origin main", "error: src refspec main does not match any"))
                .id();
        store.recordFailure(Failure.of("git", "push origin topic", "error: src refspec topic does not match any"));
        Advice advice = store.recall(
                ToolCall.shell("git push origin main"),
                ToolError.exit(1, "error: src refspec main does not match any"));
        assertThat(ids(advice)).hasSize(2).startsWith(same);
        assertThat(advice.matches()).extracting(Match::score).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void recall_successOfTheFamily_isBehindTheFailures() {
        List<String> ids = record(
                store,
                failure("2026-01-01-001", "2026-01-01T00:00:00Z"),
                "{'type':'tool_success','tool':'rclone','pattern_name':'List the remotes first','ctx_hash':'" + HASH
                        + "'}");
        Advice advice = recall(store, "sync a: /b");
        assertThat(ids(advice)).isEqualTo(ids);
        assertThat(advice.text()).contains("List the remotes first");
    }

    @Test
    void recall_criticalFailure_isCriticalOnceRepeatedAndUntilRefuted() {
        String id = store.recordFailure(
                        Failure.of("rclone", "sync a: /b", ERROR).blockLevel(Failure.BlockLevel.CRITICAL))
                .id();
        assertThat(recall(store, "sync e: /f").level()).isEqualTo(Failure.BlockLevel.WARNING);
        store.recordFailure(Failure.of("rclone", "sync c: /d", ERROR));
        assertThat(recall(store, "sync e: /f").level()).isEqualTo(Failure.BlockLevel.CRITICAL);
        store.reportOutcome(id, Outcome.IRRELEVANT, "monday");
        assertThat(recall(store, "sync e: /f").level()).isEqualTo(Failure.BlockLevel.WARNING);
    }

    @Test
    void recall_criticalTwiceInOneSession_isAWarning() {
        Failure.Draft draft = Failure.of("rclone", "sync a: /b", ERROR)
                .blockLevel(Failure.BlockLevel.CRITICAL)
                .sessionId("monday");
        store.recordFailure(draft);
        store.recordFailure(draft);
        assertThat(recall(store, "sync e: /f").level()).isEqualTo(Failure.BlockLevel.WARNING);
    }

    @Test
    void recall_votedEntries_comeByWhatTheyDid() {
        Failure.Draft draft = Failure.of("rclone", "sync a: /b", ERROR);
        String good = store.recordFailure(draft.patternAvoid("Check the name")).id();
        String bad = store.recordFailure(draft.patternAvoid("Try again")).id();
        assertThat(ids(recall(store, "sync e: /f"))).containsExactly(bad, good);
        store.reportOutcome(good, Outcome.WORKED, "monday");
        store.reportOutcome(bad, Outcome.FAILED, "monday");
        Advice advice = recall(store, "sync e: /f");
        assertThat(ids(advice)).containsExactly(good, bad);
        assertThat(advice.text()).contains("Check the name (worked 1 of 1").contains("do not try: Try again");
        assertThat(advice.matches().get(0).explanation()).contains("worked 1 of 1");
    }

    @Test
    void recall_harmfulAdvice_isWithheldAndSaysSo() {
        String id = store.recordFailure(
                        Failure.of("rclone", "sync a: /b", ERROR).patternAvoid("Delete the config"))
                .id();
        for (int i = 0; i < 7; i++) {
            store.reportOutcome(id, Outcome.FAILED, "session " + i);
        }
        Advice advice = recall(store, "sync e: /f");
        assertThat(advice.status()).isEqualTo(Advice.Status.WITHHELD);
        assertThat(advice.text()).isEmpty();
        assertThat(advice.matches()).isEmpty();
        assertThat(advice.reason()).contains("withheld 1").contains(HASH);
    }

    @Test
    void recall_foundIrrelevantByMany_isNotShown() {
        String id =
                store.recordFailure(Failure.of("rclone", "sync a: /b", ERROR)).id();
        for (int i = 0; i < 4; i++) {
            store.reportOutcome(id, Outcome.IRRELEVANT, "session " + i);
        }
        Advice advice = recall(store, "sync e: /f");
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(advice.reason()).contains("irrelevant");
    }

    @Test
    void recall_dismissedAndSuperseded_areNotShownAndPinnedIsFirst() {
        Failure.Draft draft = Failure.of("rclone", "sync a: /b", ERROR);
        List<String> ids = List.of(
                store.recordFailure(draft).id(),
                store.recordFailure(draft).id(),
                store.recordFailure(draft).id(),
                store.recordFailure(draft).id());
        store.amend(ids.get(0), Amendment.pin());
        store.amend(ids.get(1), Amendment.dismiss("wrong"));
        store.amend(ids.get(2), Amendment.supersededBy(ids.get(3)));
        Advice advice = recall(store, "sync e: /f");
        assertThat(ids(advice)).containsExactly(ids.get(0), ids.get(3));
        assertThat(advice.reason()).contains("seen 2 times");
    }

    @Test
    void recall_linkedSuccess_isTheFirstAnswer() {
        String failure =
                store.recordFailure(Failure.of("rclone", "sync a: /b", ERROR)).id();
        store.recordSuccess(Success.of("rclone", "Something else"));
        String answer = store.recordSuccess(Success.of("rclone", "Name with a colon")
                        .keySteps("rclone sync a: /b")
                        .answers(failure))
                .id();
        Advice advice = recall(store, "sync e: /f");
        assertThat(ids(advice)).containsExactly(failure, answer);
        assertThat(advice.matches().get(1).matchType()).isEqualTo(Match.MatchType.ANSWER);
        assertThat(advice.matches().get(1).explanation()).contains(failure);
        assertThat(advice.text()).contains("worked: Name with a colon: rclone sync a: /b");
    }

    @Test
    void recall_sameCauseInOtherWordsOfTheTool_isSimilar() {
        List<String> ids = record(
                store,
                "{'type':'tool_failure','tool':'rclone','action':'sync','error':'" + ERROR.replace("'", "\\u0027")
                        + "','ctx_hash':'rclone-sync-section-config-not-found'}",
                "{'type':'tool_failure','tool':'rclone','action':'sync','error':'quota exceeded for this user',"
                        + "'ctx_hash':'rclone-sync-quota-exceeded'}");
        Advice advice = recall(store, "sync e: /f");
        assertThat(ids(advice)).containsExactly(ids.get(0));
        assertThat(advice.matches().get(0).matchType()).isEqualTo(Match.MatchType.SIMILAR);
        assertThat(advice.matches().get(0).explanation()).contains("likeness");
        assertThat(advice.text()).contains("a similar failure");
    }

    /** The hash has the operation only if nothing tells the cause, or if it is a tool such as git. */
    @ParameterizedTest
    @CsvSource({
        "virsh start web,            virsh, define a.xml, virsh-domain-quux,        virsh-start-, 1",
        "virsh start web,            virsh, start a,      virsh-start-quux,         virsh-start-, 1",
        "git push,                   git,   fetch,        git-fetch-quux,           git-push-,    0"
    })
    void recall_failureWithTheOperationInItsHash_isLikeThoseOfTheTool(
            String line, String tool, String action, String hash, String asked, int found) {
        String message = "error: operation failed: quux";
        record(
                store,
                "{'type':'tool_failure','tool':'" + tool + "','action':'" + action + "','error':'" + message
                        + "','ctx_hash':'" + hash + "'}");
        Advice advice = store.recall(ToolCall.shell(line), ToolError.exit(1, message));
        assertThat(hash(line, message)).startsWith(asked);
        assertThat(advice.matches())
                .hasSize(found)
                .allSatisfy(match -> assertThat(match.explanation()).contains("the same tool"));
    }

    @Test
    void recall_fileThatTheCallNames_isNotLikeOneThatItDoesNotName() {
        String missing = "open a.json: No such file or directory";
        record(
                store,
                "{'type':'tool_failure','tool':'gh','action':'gist create b.json','error':'" + missing
                        + "','ctx_hash':'gh-other-file-not-found'}");
        Advice advice = store.recall(ToolCall.shell("gh gist create a.json"), ToolError.exit(1, missing));
        assertThat(hash("gh gist create a.json", missing)).isEqualTo("gh-file-not-found");
        assertThat(advice.matches()).isEmpty();
    }

    /** Nothing in these errors tells a cause, so that all have one hash. */
    @Test
    void recall_catchAllFamily_tellsOnlySimilarMessagesAndAsSimilar() {
        ToolCall call = ToolCall.shell("./deploy.sh staging");
        String lesson = store.recordFailure(Failure.of(call, ToolError.exit(1, "zork: quux frobnicates the gizmo"))
                        .patternAvoid("Frob it first"))
                .id();
        String fix = store.recordSuccess(Success.of("deploy.sh", "Frob").answers(lesson))
                .id();
        Advice same = store.recall(call, ToolError.exit(1, "zork: quux frobnicates the gizmo"));
        assertThat(ids(same)).containsExactly(lesson, fix);
        assertThat(same.matches().get(0).matchType()).isEqualTo(Match.MatchType.SIMILAR);
        assertThat(same.text()).contains("a similar failure").contains("Frob it first");
        assertThat(same.reason()).contains("tells no cause");
        Advice other = store.recall(call, ToolError.exit(1, "plugh: xyzzy blorbs over there"));
        assertThat(other.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(store.recall(call, ToolError.exit(1, "")).matches()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "curl https://h/x, HTTP/1.1 400 Bad Request, HTTP/1.1 400 Bad Request: no tenant header",
        "./check.sh, error: invalid thing, Totals are invalid today and nothing else fits"
    })
    void recall_catchAllCause_isNeverExact(String command, String stored, String asked) {
        ToolCall call = ToolCall.shell(command);
        store.recordFailure(Failure.of(call, ToolError.exit(1, stored)).patternAvoid("Check"));
        for (String error : List.of(stored, asked)) {
            assertThat(store.recall(call, ToolError.exit(1, error)).matches())
                    .extracting(Match::matchType)
                    .doesNotContain(Match.MatchType.EXACT);
        }
        assertThat(store.recall(call, ToolError.exit(1, stored)).matches()).hasSize(1);
    }

    @Test
    void recall_otherFailuresOfTheToolOnly_isNothingAndSaysHowNear() {
        store.recordFailure(Failure.of("rclone", "sync a: /b", "quota exceeded").patternAvoid("Wait"));
        Advice advice = recall(store, "sync e: /f");
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(advice.matches()).isEmpty();
    }

    @Test
    void recall_oldAndUnconfirmed_saysSo(@TempDir Path directory) {
        Stores.append(
                directory,
                "failures.jsonl",
                "{'id':'2025-01-01-001','ts':'2025-01-01T00:00:00Z','type':'tool_failure','tool':'rclone',"
                        + "'action':'sync','error':'x','pattern_avoid':'Check','ctx_hash':'" + HASH + "'}");
        try (XMemStore files = Stores.in(directory)) {
            assertThat(recall(files, "sync a: /b").text()).contains("Check (unverified, old");
            files.reportOutcome("2025-01-01-001", Outcome.WORKED, "monday");
            assertThat(recall(files, "sync a: /b").text()).contains("Check (worked 1 of 1;");
        }
    }

    @Test
    void recall_anyNumberOfTimes_recordsNothing(@TempDir Path directory) {
        try (XMemStore files = Stores.in(directory)) {
            files.recordFailure(Failure.of("rclone", "sync a: /b", ERROR));
            String before = ids(recall(files, "sync a: /b")).toString();
            for (int i = 0; i < 5; i++) {
                assertThat(ids(recall(files, "sync a: /b"))).hasToString(before);
            }
            assertThat(files.stats().failures()).isEqualTo(1);
            assertThat(files.stats().recalled()).isEqualTo(6);
            assertThat(files.stats().advised()).isEqualTo(6);
        }
    }

    @Test
    void recall_whatAnotherStoreRecorded_isKnown(@TempDir Path directory) {
        try (XMemStore one = Stores.in(directory);
                XMemStore two = Stores.in(directory)) {
            assertThat(recall(two, "sync a: /b").isEmpty()).isTrue();
            one.recordFailure(Failure.of("rclone", "sync a: /b", ERROR).patternAvoid("Verify the name"));
            assertThat(recall(two, "sync a: /b").text()).contains("Verify the name");
        }
    }
}
