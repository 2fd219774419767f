package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power cuts on a real file system: an ext4 on a loop device is shut down while a process appends. {@link
 * EveryOperationTest} does the same with a model of a file system and always runs. Only acknowledgements from before
 * the shutdown count: an fsync that runs during the shutdown may return without an error and still be lost.
 */
@Tag("soak")
class PowerCutTest {
    private static final int CUTS = Integer.getInteger("xmem.soak.powercuts", 10);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Durability.class)
    void powerCut_atRandomMoments_keepsWhatTheDurabilityPromises(Durability durability) throws Exception {
        Random random = new Random(11);
        int promised = 0;
        int kept = 0;
        try (Mounted disk = Mounted.ext4(folder)) {
            Path store = disk.point().resolve("a/store");
            for (int i = 0; i < CUTS; i++) {
                String name = "writer" + i;
                int before;
                Path promises = folder.resolve(name + ".promises");
                try (Jvm writer =
                        Jvm.start(folder, List.of(), WritingProcess.class, store, promises, name, durability)) {
                    writer.makes(promises);
                    while (Promised.promised(promises) == 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    if (i % 3 == 2) {
                        disk.sync();
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                    before = Promised.promised(promises);
                    disk.cutPower();
                }
                disk.startAgain();
                Promised logs = new Promised(store.resolve("data"));
                promised += before;
                kept += Math.min(before, logs.count(name));
                if (durability == Durability.OS) {
                    logs.keepsAPrefixOfEachLog(name);
                } else {
                    logs.keeps(name, before, true);
                }
                goesOn(store);
            }
        }
        System.out.printf(
                "reliability: %d power cuts with %s: %,d entries acknowledged, %,d there afterwards, lost %,d%n",
                CUTS, durability, promised, kept, promised - kept);
    }

    private static void goesOn(Path directory) {
        try (XMemStore store = XMem.open(directory)) {
            Failure after = store.recordFailure(Failure.of("git", "push", "after the power cut"));
            assertThat(store.find(after.id())).contains(after);
            assertThat(store.search(Query.all().limit(1)).total()).isPositive();
            store.flush();
        }
        assertThat(Files.exists(directory.resolve("data/index.json"))).isTrue();
    }
}
