package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that append are killed at random moments, again and again on one store, while others append and read. */
class KillTest {
    /** So often all that was promised is looked for while the witness goes on: each time all logs are read. */
    private static final int CHECKS = 20;

    private static final int PAUSE_MICROS = 300;
    /** The witness writes in every round, slowly, because every check reads all that it wrote. */
    private static final int MANY_ROUNDS = 50;

    @TempDir
    Path folder;

    private Path store;

    @Test
    void kill_20Rounds_losesNothingAcknowledged() throws Exception {
        killAgainAndAgain(20, 20);
    }

    @Test
    @Tag("soak")
    void kill_200Rounds_losesNothingAcknowledged() throws Exception {
        killAgainAndAgain(Integer.getInteger("xmem.soak.kills", 200), 250);
    }

    private Jvm writer(String name, int pauseMicros) throws IOException {
        Jvm jvm = Jvm.start(
                folder, List.of(), WritingProcess.class, store, promises(name), name, Durability.OS, pauseMicros);
        jvm.makes(promises(name));
        return jvm;
    }

    private Path promises(String name) {
        return folder.resolve(name + ".promises");
    }

    private void killAgainAndAgain(int rounds, int longestMillis) throws Exception {
        store = folder.resolve("store");
        Path end = folder.resolve("end");
        Random random = new Random(7);
        List<String> killed = new ArrayList<>();
        try (Jvm witness = writer("witness", rounds > MANY_ROUNDS ? 20 * PAUSE_MICROS : PAUSE_MICROS);
                Jvm reader = Jvm.start(folder, List.of(), ReadingProcess.class, store, end)) {
            assertThat(witness.pid()).isPositive();
            for (int i = 0; i < rounds; i++) {
                String name = "victim" + i;
                try (Jvm victim = writer(name, PAUSE_MICROS)) {
                    awaitFirst(name);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(longestMillis)));
                    assertThat(victim.pid()).isPositive();
                }
                killed.add(name);
                if (i % Math.max(1, rounds / CHECKS) == 0) {
                    check(killed, true);
                }
            }
            Files.createFile(end);
            reader.succeeds();
        }
        check(killed, false);
    }

    private void awaitFirst(String name) throws IOException {
        while (Promised.promised(promises(name)) == 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void check(List<String> killed, boolean witnessWrites) throws IOException {
        int promisedToWitness = Promised.promised(promises("witness"));
        Promised logs = new Promised(store.resolve("data"));
        int promised = promisedToWitness;
        for (String name : killed) {
            int own = Promised.promised(promises(name));
            logs.keeps(name, own, false);
            promised += own;
        }
        logs.keeps("witness", promisedToWitness, witnessWrites);
        assertThat(logs.pieces()).isLessThanOrEqualTo(killed.size() + 2);
        if (!witnessWrites) {
            reopen(killed, logs);
            System.out.printf(
                    "reliability: %d processes killed while others append and read: %,d entries acknowledged, %d torn lines,"
                            + " lost 0%n",
                    killed.size() + 1, promised, logs.pieces());
        }
    }

    private void reopen(List<String> killed, Promised logs) {
        long expected = logs.count("witness");
        for (String name : killed) {
            expected += logs.count(name);
        }
        try (XMemStore again = XMem.open(store)) {
            assertThat(again.search(Query.all().limit(1)).total()).isEqualTo(expected);
            assertThat(again.stats().malformedLines()).isEqualTo(logs.pieces());
            assertThat(again.verify().findings()).allMatch(finding -> !finding.contains("is also in"));
        }
    }
}
