package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Durability;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk with no room left: a typed error, no half entry, and on it goes when there is room. */
class FullDiskTest {
    @ParameterizedTest
    @EnumSource(Durability.class)
    void disk_fullAtEveryByteOfAnAppend_losesNothingAndGoesOn(Durability durability) {
        Set<String> seen = new HashSet<>();
        int full = 0;
        for (int room = 0; room < 1_000; room += 17) {
            ModelFileSystem disk = RecordedFileSystem.used();
            Map<Path, byte[]> before = disk.files();
            Caller caller = new Caller(durability);
            caller.open(disk);
            caller.record("fn");
            disk.room(room);
            caller.record("fsn");
            caller.record("d");
            full += caller.batches.stream().anyMatch(batch -> batch.acknowledged == null) ? 1 : 0;
            caller.attempt(() -> caller.store().flush());
            disk.room(1 << 20);
            caller.record("sf");
            assertThat(caller.batches.get(3).acknowledged)
                    .as("with room for it again")
                    .isNotNull();
            caller.store().flush();
            caller.store().close();
            for (Loss loss : Loss.values()) {
                new Aftermath(before, caller, loss, durability, 2).check(disk.after(loss), seen);
            }
        }
        assertThat(full).isPositive();
        System.out.printf(
                "reliability: full disk with %s: %d times full, %d states, lost 0%n", durability, full, seen.size());
    }

    @Test
    @Tag("soak")
    void tmpfs_full_refusesWithATypedErrorAndGoesOn(@TempDir Path folder) throws IOException {
        try (Mounted disk = Mounted.tmpfs(folder, "1m")) {
            Path directory = disk.point().resolve("store");
            Path ballast = Files.write(disk.point().resolve("ballast"), new byte[200_000]);
            int acknowledged = 0;
            try (XMemStore store = XMem.open(directory)) {
                XMemException.Io refused = null;
                while (refused == null) {
                    try {
                        store.recordFailure(Failure.of("git", "push", "fatal: unable to access " + acknowledged));
                        acknowledged++;
                    } catch (XMemException.Io e) {
                        refused = e;
                    }
                }
                assertThat(refused).hasMessageContaining("No space left on device");
                assertThat(store.search(Query.all().limit(1)).total()).isEqualTo(acknowledged);
                assertThatThrownBy(() -> store.recordFailure(Failure.of("git", "push", "x".repeat(5_000))))
                        .isInstanceOf(XMemException.Io.class);
                Files.delete(ballast);
                Failure after = store.recordFailure(Failure.of("git", "push", "with room"));
                assertThat(store.find(after.id())).contains(after);
            }
            try (XMemStore again = XMem.open(directory)) {
                assertThat(again.search(Query.all().limit(1)).total()).isEqualTo(acknowledged + 1);
                assertThat(again.stats().malformedLines()).isLessThanOrEqualTo(2);
            }
            System.out.printf("reliability: full tmpfs: %,d entries acknowledged, lost 0%n", acknowledged);
        }
    }
}
