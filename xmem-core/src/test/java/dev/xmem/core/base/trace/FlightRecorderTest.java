package dev.xmem.core.base.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store does is in a recording, and none of the texts are. */
class FlightRecorderTest {
    @TempDir
    Path folder;

    @Test
    void recording_ofAStoreInUse_hasItsEventsAndNoTexts() throws IOException {
        Path file = folder.resolve("x.jfr");
        try (Recording recording = new Recording()) {
            List.of("Append", "Search", "Recall", "IndexFile", "Compaction")
                    .forEach(name -> recording.enable("dev.xmem." + name));
            recording.start();
            use();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.xmem."))
                .toList();
        Map<String, Long> counts = events.stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName(), Collectors.counting()));
        assertThat(counts)
                .containsEntry("dev.xmem.Append", 3L)
                .containsEntry("dev.xmem.Search", 1L)
                .containsEntry("dev.xmem.Recall", 1L)
                .containsEntry("dev.xmem.Compaction", 1L)
                .containsKey("dev.xmem.IndexFile");
        assertThat(events.toString()).doesNotContain("zyx");
        assertThat(events).anySatisfy(event -> {
            assertThat(event.getEventType().getName()).isEqualTo("dev.xmem.Search");
            assertThat(event.getLong("total")).isEqualTo(3);
        });
    }

    private void use() {
        try (XMemStore store = XMem.open(folder.resolve("store"))) {
            for (int i = 0; i < 3; i++) {
                store.recordFailure(Failure.of("git", "push", "zyx failed " + i));
            }
            store.search(Query.literal("zyx"));
            store.recall(ToolCall.json("git", "push"), ToolError.text("zyx failed"));
            store.flush();
            store.compact(store.planCompaction(Retention.defaults()));
        }
    }
}
