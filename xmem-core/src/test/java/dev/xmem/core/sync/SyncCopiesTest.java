package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The id of a store whose folder was copied or moved, or whose replica is retired. */
class SyncCopiesTest extends SyncFixture {
    @Test
    void sync_copiedStore_becomesAnotherReplicaAndLosesNothing() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        copy(dir("a"), dir("copy"));
        try (XMemStore a = open("a");
                XMemStore copy = open("copy");
                XMemStore b = open("b")) {
            fail(a, "npm");
            fail(copy, "tar");
            rounds.sync(a);
            rounds.sync(copy);
            assertThat(replica("copy")).isNotEqualTo(replica("a"));
            fail(a, "cp");
            rounds.sync(a);
            rounds.sync(copy);
            rounds.sync(b);
            rounds.sync(a);
            assertEqualStates("a", "copy", "b");
            assertThat(String.join("", state("b").values())).contains("npm", "tar", "cp");
        }
    }

    /** The same without inode numbers: the first publication detects the copy. */
    @Test
    void sync_copyThatCannotBeSeen_isFoundOutByItsPublication() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        copy(dir("a"), dir("copy"));
        String id = replica("a");
        Files.writeString(dir("copy").resolve(".xmem/replica.json"), "{\"replica\":\"" + id + "\",\"folder\":\"\"}\n");
        try (XMemStore a = open("a");
                XMemStore copy = open("copy")) {
            fail(a, "npm");
            fail(copy, "tar");
            rounds.sync(a);
            rounds.sync(copy);
            assertThat(replica("a")).isEqualTo(id);
            assertThat(replica("copy")).isNotEqualTo(id);
            rounds.sync(a);
            rounds.sync(copy);
            assertEqualStates("a", "copy");
        }
    }

    @Test
    void sync_movedStore_staysWhoItIs() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
        }
        String id = replica("a");
        Files.move(dir("a"), dir("moved"));
        try (XMemStore moved = open("moved")) {
            fail(moved, "npm");
            assertThat(rounds.sync(moved).published()).isEqualTo(1);
        }
        assertThat(replica("moved")).isEqualTo(id);
    }

    @Test
    void sync_retiredReplica_becomesAnother() throws Exception {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            String id = replica("a");
            try (SyncBackend admin = DirectoryBackend.at(shared())) {
                admin.retire(id, LIMIT);
            }
            fail(a, "npm");
            rounds.sync(a);
            assertThat(replica("a")).isNotEqualTo(id);
            rounds.sync(b);
            rounds.sync(a);
        }
        assertEqualStates("a", "b");
    }
}
