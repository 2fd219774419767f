package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.faults.Fault.Kind;
import dev.xmem.core.faults.Fault.Operation;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link EveryOperationTest}, while segments are merged: the answers are the same, and a later process merges. */
class EveryMergeOperationTest {
    private static final int SEGMENT_LINES = 4;
    private static final int LINES = 9 * SEGMENT_LINES + 2;
    private static final int STEP = 37;
    private static final Set<Operation> ALWAYS = Set.of(Operation.WRITE, Operation.SYNC, Operation.RENAME);

    private final ModelFileSystem start = filled();
    private final List<String> expected = answers(start);
    private int runs;

    private static XMem.Builder builder(FileSystem disk) {
        return TestStores.withSegmentLines(
                TestStores.builder(Caller.DIRECTORY, disk).clock(Caller.CLOCK).resources(Caller.RESOURCES),
                SEGMENT_LINES);
    }

    /** All full segments are written, and none is merged. */
    private static ModelFileSystem filled() {
        ModelFileSystem disk = new ModelFileSystem();
        try (XMemStore store = builder(disk).open()) {
            for (int i = 0; i < LINES; i++) {
                store.recordFailure(Failure.of("git", "push b" + i % 3, "fatal: quota failed " + i));
            }
        }
        answers(disk);
        return disk.after(Loss.PROCESS);
    }

    private static List<String> answers(FileSystem disk) {
        try (XMemStore store = builder(disk).open()) {
            return answers(store);
        }
    }

    private static List<String> answers(XMemStore store) {
        return List.of(
                store.search(Query.all().limit(LINES)).text(),
                store.search(Query.words("quota failed 7")).text(),
                store.search(Query.literal("failed 1")).text(),
                store.search(Query.all().tool("git").limit(5)).text());
    }

    private static long merged(ModelFileSystem disk) {
        return disk.files().keySet().stream()
                .filter(file -> file.toString().endsWith(".merged"))
                .count();
    }

    @Test
    void merge_everyWriteSyncAndRenameAndSomeOthers_changesNoAnswer() throws IOException {
        everyOperation(STEP);
    }

    @Test
    @Tag("soak")
    void merge_everyOperation_changesNoAnswer() throws IOException {
        everyOperation(1);
    }

    private void everyOperation(int step) throws IOException {
        List<Operation> all = run(Fault.NONE);
        assertThat(all).contains(Operation.DELETE, Operation.RENAME);
        for (int k = 1; k <= all.size(); k++) {
            Operation operation = all.get(k - 1);
            for (Kind kind : Kind.values()) {
                if (kind.fits(operation) && (k % step == 0 || ALWAYS.contains(operation))) {
                    run(new Fault(k, kind));
                }
            }
        }
        assertThat(runs).isGreaterThan(all.size() / step);
    }

    private List<Operation> run(Fault fault) throws IOException {
        ModelFileSystem disk = start.after(Loss.PROCESS);
        try (XMemStore store = builder(disk).open()) {
            disk.plan(fault);
            attemptMerge(store);
            assertThat(answers(store)).as("in the same process, " + fault).isEqualTo(expected);
        } catch (Crash e) {
            assertThat(disk.crashed()).isTrue();
        } catch (XMemException e) {
            assertThat(fault.at()).isPositive(); // closing failed
        }
        List<Operation> done = disk.operations();
        for (Loss loss : Loss.values()) {
            if (loss == Loss.PROCESS || fault.kind().crashes()) {
                runs++;
                ModelFileSystem next = disk.after(loss);
                assertThat(answers(next))
                        .as(fault + " at " + done + ", then " + loss)
                        .isEqualTo(expected);
                mergedLater(next, fault + ", then " + loss);
            }
        }
        return done;
    }

    private static void attemptMerge(XMemStore store) {
        try {
            while (TestStores.mergeOne(store, () -> false)) {
                // the next one
            }
        } catch (IOException e) {
            // derived data
        }
    }

    private void mergedLater(ModelFileSystem disk, String what) throws IOException {
        try (XMemStore store = builder(disk).open()) {
            store.verify();
            assertThat(answers(store)).as(what).isEqualTo(expected);
        }
        assertThat(merged(disk)).as(what).isEqualTo(1);
        assertThat(answers(disk)).as(what).isEqualTo(expected);
        assertThat(disk.files().keySet())
                .as(what)
                .noneMatch(file -> file.toString().contains(".merged.tmp-"));
    }
}
