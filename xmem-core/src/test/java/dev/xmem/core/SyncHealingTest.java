package dev.xmem.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** What was noted, imported or published is lost or changed: the next rounds heal it. */
class SyncHealingTest extends SyncFixture {
    @Test
    void sync_stateLost_takenFromTheBackend() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Files.delete(dir("a").resolve(".xmem/sync-state.jsonl"));
            Files.delete(dir("b").resolve(".xmem/sync-state.jsonl"));
            String before = replica("a");
            fail(a, "npm");
            assertThat(rounds.sync(a).published()).isEqualTo(1);
            assertThat(replica("a")).isEqualTo(before);
            assertThat(rounds.sync(b).imported()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
    }

    /** A crash after the lines were written and before that was noted. */
    @Test
    void sync_importHalfNoted_importedAgainFromTheBeginning() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Path state = dir("b").resolve(".xmem/sync-state.jsonl");
            byte[] before = Files.readAllBytes(state);
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
            Files.write(state, before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_importDeletedOrEdited_thereAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            Path imported = dir("b").resolve("data/peers").resolve(replica("a")).resolve("failures.jsonl");
            Files.delete(imported);
            rounds.sync(b);
            assertEqualStates("a", "b");
            Files.writeString(imported, "junk\n", StandardOpenOption.APPEND);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendLostEverything_publishedAgain() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            rounds.sync(b);
            delete(shared());
            String before = replica("a");
            fail(a, "npm");
            assertThat(rounds.sync(a).published()).isEqualTo(2);
            assertThat(replica("a")).isEqualTo(before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void sync_backendRestoredFromABackup_goesOn() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            rounds.sync(a);
            copy(shared(), folder.resolve("backup"));
            fail(a, "npm");
            rounds.sync(a);
            rounds.sync(b);
            delete(shared());
            copy(folder.resolve("backup"), shared());
            rounds.sync(b);
            assertThat(state("b")).containsAllEntriesOf(state("a"));
            fail(a, "tar");
            String before = replica("a");
            rounds.sync(a);
            assertThat(replica("a")).isEqualTo(before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }
}
