package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.faults.Fault.Kind;
import dev.xmem.core.faults.Fault.Operation;
import dev.xmem.core.faults.MaintenanceAftermath.Done;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * As {@link EveryOperationTest}, during a compaction, a purge or a restore: each entry exists once, in its own line or
 * in one that covers it, purged entries stay away, and the call can be repeated.
 */
class EveryMaintenanceOperationTest {
    private static final int STEP = 23;
    private static final Set<Operation> ALWAYS = Set.of(Operation.WRITE, Operation.SYNC, Operation.RENAME);

    private final ModelFileSystem grown = MaintenanceFileSystem.grown();
    private final MaintenanceFileSystem.Compacted compacted = MaintenanceFileSystem.compacted();
    private final Map<String, String> lines = MaintenanceAftermath.lines(grown);
    private final Set<String> others = MaintenanceAftermath.others(grown);
    private final Set<String> seen = new HashSet<>();
    private int operations;
    private int runs;
    private long checked;

    @ParameterizedTest
    @EnumSource(Done.class)
    void upkeep_everyWriteSyncAndRenameAndSomeOthers_losesNothingAndShowsNothingTwice(Done what) {
        everyOperation(what, Durability.GROUP, STEP);
    }

    @ParameterizedTest
    @EnumSource(Done.class)
    @Tag("soak")
    void upkeep_everyOperation_losesNothingAndShowsNothingTwice(Done what) {
        everyOperation(what, Durability.GROUP, 1);
        everyOperation(what, Durability.EACH, 1);
    }

    @Test
    void upkeep_noFault_doesWhatItSays() {
        for (Done what : Done.values()) {
            run(what, Durability.GROUP, Fault.NONE);
        }
        assertThat(runs).isEqualTo(Done.values().length * Loss.values().length);
    }

    private void everyOperation(Done what, Durability durability, int step) {
        List<Operation> all = run(what, durability, Fault.NONE);
        for (int k = 1; k <= all.size(); k++) {
            if (k % step != 0 && !ALWAYS.contains(all.get(k - 1))) {
                continue;
            }
            operations++;
            for (Kind kind : Kind.values()) {
                if (kind.fits(all.get(k - 1))) {
                    run(what, durability, new Fault(k, kind));
                }
            }
        }
        System.out.printf(
                "reliability: %s with %s: %,d of %,d operations, %,d endings in %,d states, %,d acknowledged entries looked"
                        + " for, lost 0%n",
                what, durability, operations, all.size(), runs, seen.size(), checked);
        assertThat(operations).isPositive();
    }

    /** The call; made again where it is refused. */
    private void program(Done what, Caller caller, ModelFileSystem disk, boolean[] acknowledged) {
        caller.open(disk);
        caller.record("f");
        for (int i = 0; i < 2 && !acknowledged[0]; i++) {
            caller.attempt(() -> {
                call(what, caller.store(), compacted.backup());
                acknowledged[0] = true;
            });
            caller.record("sfn");
        }
        caller.attempt(() -> caller.store().close());
    }

    private static void call(Done what, XMemStore store, Path backup) {
        switch (what) {
            case COMPACT -> store.compact(store.planCompaction(Retention.defaults()));
            case PURGE -> store.purge(MaintenanceFileSystem.TO_PURGE, true);
            case RESTORE -> store.restore(backup);
        }
    }

    private List<Operation> run(Done what, Durability durability, Fault fault) {
        ModelFileSystem start = what == Done.COMPACT ? grown : compacted.disk();
        ModelFileSystem disk = start.after(Loss.PROCESS);
        // in segments of two lines most of the index of a compacted log is carried over
        Caller caller = what == Done.RESTORE ? new Caller(durability) : new Caller(durability, 2);
        disk.plan(fault);
        boolean[] acknowledged = {false};
        try {
            program(what, caller, disk, acknowledged);
            assertThat(acknowledged[0]).as("done at the second try: " + fault).isTrue();
        } catch (Crash e) {
            assertThat(disk.crashed()).isTrue();
        }
        List<Operation> done = disk.operations();
        for (Loss loss : Loss.values()) {
            try {
                MaintenanceAftermath aftermath = new MaintenanceAftermath(lines, others, caller, what, acknowledged[0]);
                aftermath.check(disk.after(loss), start, seen);
                checked += aftermath.checked();
                runs++;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        what + " with " + durability + ", " + fault + " at " + done + ", then " + loss, e);
            }
        }
        return done;
    }
}
