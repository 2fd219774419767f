package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several operating system processes append to one store. */
class ProcessesTest {
    private static final int PROCESSES = 4;

    @TempDir
    Path folder;

    @Test
    void record_fourProcesses_everyLineWholeAndEveryIdOnce() throws Exception {
        appendAndCheck(5_000);
    }

    @Test
    @Tag("soak")
    void record_fourProcessesForLong_everyLineWholeAndEveryIdOnce() throws Exception {
        appendAndCheck(50_000);
    }

    private void appendAndCheck(int entries) throws Exception {
        Path store = folder.resolve("store");
        List<Jvm> running = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                running.add(Jvm.start(folder, List.of(), AppendingProcess.class, store, folder, i, PROCESSES, entries));
            }
            for (Jvm jvm : running) {
                jvm.succeeds();
            }
        } finally {
            for (Jvm jvm : running) {
                jvm.close();
            }
        }
        try (XMemStore after = XMem.open(store)) {
            after.verify(); // writes the index.json of a large store
        }
        checkLogs(store.resolve("data"), entries);
    }

    private void checkLogs(Path data, int entries) throws IOException {
        List<String> failures = ids(data.resolve("failures.jsonl"));
        List<String> successes = ids(data.resolve("successes.jsonl"));
        assertThat(successes).hasSize(PROCESSES * (entries / 3));
        List<String> all = new ArrayList<>(failures);
        all.addAll(successes);
        assertThat(all).hasSize(PROCESSES * entries).doesNotHaveDuplicates();
        List<String> acknowledged = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            acknowledged.addAll(Files.readAllLines(folder.resolve("ids-" + i)));
        }
        assertThat(new HashSet<>(all).equals(new HashSet<>(acknowledged)))
                .as("all that was acknowledged")
                .isTrue();
        Map<String, Object> index = Json.object(Files.readAllBytes(data.resolve("index.json")));
        assertThat(index.get("total_entries"))
                .hasToString("{failures=" + failures.size() + ", successes=" + successes.size() + "}");
    }

    /** The ids of a log, after a look that they ascend and that the file ends with a whole line. */
    private static List<String> ids(Path log) throws IOException {
        assertThat(Files.readString(log)).endsWith("}\n");
        List<String> ids = new ArrayList<>();
        for (Map<String, Object> line : Json.lines(log)) {
            String id = (String) line.get("id");
            assertThat(ids.isEmpty() || ascend(ids.get(ids.size() - 1), id))
                    .as(id)
                    .isTrue();
            ids.add(id);
        }
        return ids;
    }

    private static boolean ascend(String before, String after) {
        int days = before.substring(0, 10).compareTo(after.substring(0, 10));
        return days < 0 || days == 0 && Long.parseLong(before.substring(11)) < Long.parseLong(after.substring(11));
    }
}
