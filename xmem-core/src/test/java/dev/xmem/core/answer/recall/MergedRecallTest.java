package dev.xmem.core.answer.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A line that a compaction made of several counts in a recall, and before a call, as all of them. */
class MergedRecallTest {
    private static final ToolError ERROR = ToolError.exit(1, "Failed: didn't find section in config file");
    private static final ToolCall CALL = ToolCall.shell("rclone sync x:y /mnt").session("later");

    private final XMemStore store = XMem.inMemoryBuilder()
            .clock(InstantSource.fixed(Stores.NOW))
            .guardLimit(Duration.ofSeconds(60))
            .open();

    @AfterEach
    void close() {
        store.close();
    }

    private Failure failed(String session, String advice) {
        return store.recordFailure(
                Failure.of(ToolCall.shell("rclone sync a:b /data").session(session), ERROR)
                        .patternAvoid(advice));
    }

    private void compacted(int removed) {
        assertThat(store.compact(store.planCompaction(Retention.defaults())).removed())
                .isEqualTo(removed);
    }

    private Advice recalled() {
        return store.recall(CALL, ERROR);
    }

    @Test
    void recall_fourDuplicates_saysTheSameAfterACompaction() {
        for (String session : List.of("a", "b", "c", "d")) {
            failed(session, "Check the remote first");
        }
        Advice before = recalled();
        assertThat(before.text()).contains("seen 4× in 4 sessions");
        compacted(3);
        Advice after = recalled();
        assertThat(after.matches()).hasSize(1);
        assertThat(after.text()).isEqualTo(before.text());
        assertThat(after.reason()).isEqualTo(before.reason());
        assertThat(after.matches().get(0).score())
                .isEqualTo(before.matches().get(0).score());
        failed("e", "Check the remote first");
        assertThat(recalled().text()).contains("seen 5× in 5 sessions");
    }

    @Test
    void recall_otherAdvice_isShownAfterTheFirst() {
        failed("a", "First lesson");
        failed("b", "Second lesson");
        compacted(1);
        String text = recalled().text();
        assertThat(text).contains("Second lesson").contains("also, earlier: First lesson");
        assertThat(text.indexOf("Second lesson")).isLessThan(text.indexOf("First lesson"));
    }

    @Test
    void recall_answerToACoveredFailure_isStillAnAnswer() {
        String covered = failed("a", "Check the remote first").id();
        failed("b", "Check the remote first");
        store.recordAll(List.of(JsonDraft.of(
                "{\"type\":\"tool_success\",\"tool\":\"rclone\",\"pattern_name\":\"Created it\",\"ctx_hash\":\"rclone-x\",\"answers\":[\""
                        + covered + "\"]}")));
        assertThat(recalled().text()).contains("Created it");
        compacted(1);
        assertThat(recalled().text()).contains("Created it");
    }

    @Test
    void recall_whatIsSaidOfACoveredFailureLater_isHeard() {
        String covered = failed("a", "Check the remote first").id();
        String kept = failed("b", "Check the remote first").id();
        compacted(1);
        assertThat(outcomes()).contains("no outcomes");
        store.reportOutcome(covered, Outcome.WORKED, "c");
        assertThat(outcomes()).contains("\"worked\":1");
        assertThat(outcomes()).contains("\"worked\":1");
        store.reportOutcome(kept, Outcome.WORKED, "d");
        assertThat(outcomes()).contains("\"worked\":2");
        failed("e", "Check the remote first");
        compacted(1);
        assertThat(outcomes()).contains("\"worked\":2");
        store.amend(covered, Amendment.dismiss("wrong"));
        assertThat(recalled().matches()).isEmpty();
    }

    private String outcomes() {
        String newest = recalled().matches().get(0).entry().json();
        return newest.contains("\"outcomes\"") ? newest : "no outcomes";
    }

    @Test
    void recall_criticalOfSeveralSessions_staysCritical() {
        store.recordFailure(Failure.of(ToolCall.shell("rclone sync a:b /data").session("a"), ERROR)
                .patternAvoid("Never")
                .blockLevel(Failure.BlockLevel.CRITICAL));
        failed("b", "Never");
        assertThat(recalled().level()).isEqualTo(Failure.BlockLevel.CRITICAL);
        compacted(1);
        assertThat(recalled().level()).isEqualTo(Failure.BlockLevel.CRITICAL);
        assertThat(store.guard().failed(CALL, ERROR).level()).isEqualTo(Failure.BlockLevel.CRITICAL);
    }

    @Test
    void before_mergedLineOfTwoSessions_warns() {
        failed("a", "Check the remote first");
        failed("b", "Check the remote first");
        compacted(1);
        store.guard();
        store.flush();
        Advice advice = store.guard().before(CALL);
        assertThat(advice.text()).contains("Check the remote first");
        assertThat(advice.reason()).contains("2 sessions");
    }

    @Test
    void before_mergedLineOfOneSession_isSilent() {
        failed("a", "Check the remote first");
        failed("a", "Check the remote first");
        compacted(1);
        store.guard();
        store.flush();
        assertThat(store.guard().before(CALL).isEmpty()).isTrue();
    }

    @Test
    void search_cards_sayHowOftenAndTheOtherAdvice() {
        failed("a", "First lesson");
        failed("b", "Second lesson");
        assertThat(store.search(Query.all().layout(Query.Layout.CARDS)).text()).doesNotContain("seen 2×");
        compacted(1);
        assertThat(store.search(Query.all().layout(Query.Layout.CARDS)).text())
                .contains("seen 2×")
                .contains("Pattern to avoid: Second lesson")
                .contains("Also to avoid:\n- First lesson");
    }
}
