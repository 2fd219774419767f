package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.core.faults.Fault.Kind;
import dev.xmem.core.faults.Fault.Operation;
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
 * Every operation of the file system fails, or is the last one before a crash or a power cut, once in each possible
 * way. Afterwards all acknowledged entries exist, a prefix of the others, and nothing else has changed.
 */
class EveryOperationTest {
    private final ModelFileSystem used = RecordedFileSystem.used();
    private final Set<String> seen = new HashSet<>();
    private int operations;
    private int runs;
    private long checked;

    /** What a caller does, from the opening of the store to its closing. */
    private enum Program {
        APPEND(List.of("f", "s", "n", "d", "f")),
        BATCH(List.of("ffssfndn", "nnn")),
        INDEX(List.of("f", "!", "sf", "!"));

        private final List<String> calls;

        Program(List<String> calls) {
            this.calls = calls;
        }

        void run(Caller caller, ModelFileSystem disk) {
            caller.open(disk);
            for (String call : calls) {
                if (call.equals("!")) {
                    caller.attempt(() -> caller.store().flush());
                } else {
                    caller.record(call);
                }
            }
            caller.attempt(() -> caller.store().close());
        }
    }

    @Test
    void append_everyOperation_losesNothingAcknowledged() {
        everyOperation(Program.APPEND, used, Durability.GROUP);
        report("APPEND with GROUP");
    }

    @Test
    void batch_everyOperation_losesNothingAcknowledgedAndKeepsAPrefix() {
        everyOperation(Program.BATCH, new ModelFileSystem(), Durability.OS);
        report("BATCH with OS on a new store");
    }

    @Test
    void index_everyOperation_losesNothingAcknowledged() {
        everyOperation(Program.INDEX, used, Durability.EACH);
        report("INDEX with EACH");
    }

    @ParameterizedTest
    @EnumSource(Program.class)
    @Tag("soak")
    void any_everyOperationAndDurabilityOnANewAndAUsedStore_losesNothingAcknowledged(Program program) {
        for (Durability durability : Durability.values()) {
            everyOperation(program, used, durability);
            everyOperation(program, new ModelFileSystem(), durability);
        }
        report(program + " with all");
    }

    private void report(String what) {
        System.out.printf(
                "reliability: %s: %,d operations, %,d endings in %,d states, %,d acknowledged entries looked for, lost 0%n",
                what, operations, runs, seen.size(), checked);
        assertThat(operations).isPositive();
    }

    private void everyOperation(Program program, ModelFileSystem start, Durability durability) {
        List<Operation> all = run(program, start, durability, Fault.NONE);
        operations += all.size();
        for (int k = 1; k <= all.size(); k++) {
            for (Kind kind : Kind.values()) {
                if (kind.fits(all.get(k - 1))) {
                    run(program, start, durability, new Fault(k, kind));
                }
            }
        }
    }

    private List<Operation> run(Program program, ModelFileSystem start, Durability durability, Fault fault) {
        ModelFileSystem disk = start.after(Loss.PROCESS);
        Map<Path, byte[]> before = disk.files();
        Caller caller = new Caller(durability);
        disk.plan(fault);
        try {
            program.run(caller, disk);
        } catch (Crash e) {
            assertThat(disk.crashed()).isTrue();
        }
        List<Operation> done = disk.operations();
        for (Loss loss : Loss.values()) {
            try {
                Aftermath aftermath = new Aftermath(before, caller, loss, durability);
                aftermath.check(disk.after(loss), seen);
                checked += aftermath.checked();
                runs++;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(durability + ", " + fault + " at " + done + ", then " + loss, e);
            }
        }
        return done;
    }
}
