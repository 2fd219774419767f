package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new success answers failures that there are; one that comes from elsewhere is taken as it is. */
class AnsweredIdsTest {
    private static final String LINE =
            "{\"type\":\"tool_success\",\"tool\":\"git\",\"pattern_name\":\"Pull first\",\"answers\":[\"%s\"]%s}";

    private final XMemStore store = XMem.inMemory();
    private final String failure =
            store.recordFailure(Failure.of("git", "push", "rejected")).id();

    @AfterEach
    void close() {
        store.close();
    }

    private static JsonDraft line(String answers, String more) {
        return JsonDraft.of(LINE.formatted(answers, more));
    }

    @Test
    void record_answersAnEntry_isRecorded() {
        assertThat(store.recordSuccess(Success.of("git", "Pull first").answers(failure))
                        .answers())
                .containsExactly(failure);
        assertThat(store.recordAll(List.of(line(failure, "")))).hasSize(1);
    }

    @Test
    void record_answersNoEntry_isRefusedAndNamesTheId() {
        String typo = "2026-01-01-9999";
        assertThatThrownBy(() ->
                        store.recordSuccess(Success.of("git", "Pull first").answers(failure, typo)))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining("answers")
                .hasMessageContaining(typo);
        assertThatThrownBy(() -> store.recordAll(List.of(line(typo, ""))))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining(typo);
        assertThat(SlashCommands.on(store)
                        .execute("/xmem:record success tool=git name=\"Pull first\" answers=" + typo, "s")
                        .text())
                .contains(typo);
        assertThat(store.stats().successes()).isZero();
    }

    @Test
    void record_answersTheBeginningOfAnId_isToldTheWhole() {
        assertThatThrownBy(() -> store.recordSuccess(
                        Success.of("git", "Pull first").answers(failure.substring(0, failure.length() - 1))))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageContaining(failure);
    }

    @Test
    void record_answersAnEntryOfItsBatch_isRecorded() {
        JsonDraft first = JsonDraft.of(
                "{\"type\":\"tool_failure\",\"id\":\"2026-01-01-001\",\"tool\":\"git\",\"error\":\"rejected\"}");
        assertThat(store.recordAll(List.of(first, line("2026-01-01-001", "")))).hasSize(2);
        assertThatThrownBy(() -> store.recordAll(List.of(first, line("2026-01-01-007", ""))))
                .isInstanceOf(XMemException.Invalid.class)
                .hasMessageNotContaining("prefix");
    }

    /** The log of a peer may come later. */
    @Test
    void record_answersAnEntryOfAPeer_isRecorded() {
        store.recordSuccess(Success.of("git", "Pull first").answers("2026-01-01-009@0123abcd"));
        assertThat(store.stats().successes()).isOne();
    }

    @Test
    void record_lineWithItsOwnId_isImportedAsItIs() {
        Entry imported = store.recordAll(List.of(line("2026-01-01-009", ",\"id\":\"2026-01-01-010\"")))
                .get(0);
        assertThat(((Success) imported).answers()).containsExactly("2026-01-01-009");
    }
}
