package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.core.fixtures.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes append to a store while another compacts it, again and again. */
class CompactionProcessesTest {
    @TempDir
    Path folder;

    @Test
    void compact_whileTwoProcessesAppend_losesNothing() throws Exception {
        compactMeanwhile(2, 1_000);
    }

    @Test
    @Tag("soak")
    void compact_whileFourProcessesAppendForLong_losesNothing() throws Exception {
        compactMeanwhile(4, 20_000);
    }

    private void compactMeanwhile(int processes, int entries) throws Exception {
        Path directory = folder.resolve("store");
        List<Jvm> running = new ArrayList<>();
        int compactions = 0;
        try (XMemStore store = XMem.open(directory)) {
            for (int i = 0; i < processes; i++) {
                running.add(Jvm.start(folder, List.of(), CompactedProcess.class, directory, ids(i), i, entries));
            }
            boolean all = false;
            while (!all) {
                all = true;
                for (int i = 0; i < processes; i++) {
                    all &= Files.exists(ids(i)) || !running.get(i).isAlive();
                }
                compactions += compact(store) ? 1 : 0;
            }
            for (Jvm jvm : running) {
                jvm.succeeds();
            }
            compact(store);
            check(store, processes, entries);
        } finally {
            for (Jvm jvm : running) {
                jvm.close();
            }
        }
        System.out.printf(
                "reliability: %d processes appended %,d entries each during %d compactions, lost 0%n",
                processes, entries, compactions);
        assertThat(compactions).isPositive();
    }

    private Path ids(int process) {
        return folder.resolve("ids-" + process);
    }

    private static boolean compact(XMemStore store) {
        try {
            return store.compact(store.planCompaction(Retention.defaults())).removed() > 0;
        } catch (XMemException.Busy e) {
            return false;
        }
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted().toList();
    }

    private void check(XMemStore store, int processes, int entries) throws Exception {
        List<String> attempts = new ArrayList<>();
        List<String> covered = new ArrayList<>();
        for (Match match : store.search(Query.all()).matches()) {
            attempts.addAll(((Failure) match.entry()).triedAlso());
            covered.add(match.entry().id());
            List<?> covers = (List<?>) Json.object(match.entry().json()).get("covers");
            if (covers != null) {
                covers.forEach(id -> covered.add((String) id));
            }
        }
        List<String> acknowledged = new ArrayList<>();
        List<String> made = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            acknowledged.addAll(Files.readAllLines(ids(i)));
            for (int j = 0; j < entries; j++) {
                made.add("attempt " + i + " " + j);
            }
        }
        // Sorted: the comparisons of lists in any order take the square of 80,000.
        assertThat(acknowledged).hasSize(processes * entries);
        assertThat(new HashSet<>(acknowledged)).hasSize(acknowledged.size());
        assertThat(sorted(covered).equals(sorted(acknowledged)))
                .as("each one once")
                .isTrue();
        assertThat(sorted(attempts).equals(sorted(made)))
                .as("each attempt once")
                .isTrue();
        assertThat(store.verify().findings()).isEmpty();
    }
}
