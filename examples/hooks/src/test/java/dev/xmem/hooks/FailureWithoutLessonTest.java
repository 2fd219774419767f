package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.JsonDraft;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureWithoutLessonTest {
    private static final String BARE =
            "{\"type\":\"tool_failure\",\"tool\":\"git\",\"action\":\"push\",\"session_id\":\"s\","
                    + "\"error\":\"rejected: fetch first\",\"ts\":\"";

    /** The clock of the caller is finer than the times of entries. */
    @Test
    void replace_recordedInTheMillisecondOfTheBegin_stays() {
        Instant begin = Instant.parse("2026-11-27T12:00:00.000900Z");
        List<JsonDraft> lines = List.of(
                JsonDraft.of(BARE + "2026-11-27T11:59:59.999Z\"}"),
                JsonDraft.of(BARE + "2026-11-27T12:00:00.000Z\"}"),
                JsonDraft.of(BARE + "2026-11-27T12:00:00.000Z\",\"pattern_avoid\":\"Pull with --rebase first\"}"));
        try (XMemStore store = XMem.inMemory()) {
            List<Entry> recorded = store.recordAll(lines);
            Entry lesson = recorded.get(2);

            assertThat(FailureWithoutLesson.replace(store, lesson, "s", begin))
                    .isEqualTo(recorded.get(0).id());
            assertThat(FailureWithoutLesson.replace(store, lesson, "s", begin)).isNull();
        }
    }
}
