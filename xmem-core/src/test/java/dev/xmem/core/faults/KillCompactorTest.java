package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Durability;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that append and compact are killed at random moments, while another one does the same. */
class KillCompactorTest {
    private static final int BATCH = 6;

    @TempDir
    Path folder;

    private final long since = System.currentTimeMillis();

    @Test
    @Timeout(120)
    void kill_4Rounds_losesNothingAcknowledgedAndShowsNothingTwice() throws Exception {
        killAgainAndAgain(4, 150);
    }

    @Test
    @Tag("soak")
    void kill_150Rounds_losesNothingAcknowledgedAndShowsNothingTwice() throws Exception {
        killAgainAndAgain(Integer.getInteger("xmem.soak.kills", 150), 400);
    }

    private Path promises(String name) {
        return folder.resolve(name + ".promises");
    }

    private Jvm start(String name) throws IOException {
        Jvm jvm = Jvm.start(folder, List.of(), CompactingProcess.class, folder.resolve("store"), promises(name), since);
        jvm.makes(promises(name));
        return jvm;
    }

    private void killAgainAndAgain(int rounds, int longestMillis) throws Exception {
        Random random = new Random(11);
        List<String> names = new ArrayList<>(List.of("witness"));
        try (Jvm witness = start("witness")) {
            for (int i = 0; i < rounds; i++) {
                String name = "victim" + i;
                names.add(name);
                try (Jvm victim = start(name)) {
                    while (promised(name).isEmpty()) {
                        assertThat(victim.isAlive() && witness.isAlive()).isTrue();
                        LockSupport.parkNanos(1_000_000);
                    }
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(longestMillis)));
                    assertThat(victim.isAlive()).as("until it is killed").isTrue();
                }
            }
            awaitArchives(witness);
        }
        check(names);
    }

    /** The killed ones may all have been too quick for the archives; the one that lives gets there. */
    private void awaitArchives(Jvm witness) throws IOException {
        while (!Files.exists(archive()) || archives() == 0) {
            assertThat(witness.isAlive()).as("goes on compacting").isTrue();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** The ids that a process was promised; the last line may be torn. */
    private List<String> promised(String name) throws IOException {
        String text = Files.readString(promises(name));
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private void check(List<String> names) throws IOException {
        Set<String> promised = new HashSet<>();
        for (String name : names) {
            for (String id : promised(name)) {
                assertThat(promised.add(id)).as("promised twice: " + id).isTrue();
            }
        }
        Set<String> before;
        try (XMemStore store = open()) {
            before = Set.copyOf(look(store, promised));
            assertThat(before.size()).isLessThanOrEqualTo(promised.size() + names.size() * BATCH);
            store.compact(store.planCompaction(Retention.defaults()));
            assertThat(look(store, promised)).isEqualTo(before);
        }
        try (XMemStore store = open()) {
            assertThat(look(store, promised)).isEqualTo(before);
            assertThat(store.verify().findings()).noneMatch(finding -> finding.contains("is also in"));
        }
        System.out.printf(
                "reliability: %d compacting processes killed: %,d entries acknowledged, in %d lines and %d archives, lost"
                        + " 0%n",
                names.size(),
                promised.size(),
                Files.readAllLines(folder.resolve("store/data/failures.jsonl")).size(),
                archives());
    }

    private Path archive() {
        return folder.resolve("store/data/archive");
    }

    private long archives() throws IOException {
        try (Stream<Path> files = Files.list(archive())) {
            return files.count();
        }
    }

    private XMemStore open() {
        return XMem.builder(folder.resolve("store"))
                .durability(Durability.OS)
                .clock(CompactingProcess.clock(since))
                .open();
    }

    private static Set<String> look(XMemStore store, Set<String> promised) {
        Shown shown = new Shown(store);
        promised.forEach(id -> shown.required(store, id));
        return shown.ids();
    }
}
