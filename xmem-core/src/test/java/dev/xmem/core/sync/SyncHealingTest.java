package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The sync state, imported files or published streams are lost or changed: the next rounds repair them. */
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

    /** A crash after the lines were written and before the state was saved. */
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

    /** The backup has lines that were erased since. */
    @Test
    void sync_backendRestoredFromABackupOfBeforeAnErasure_goesOn() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            String leaky = fail(a, "leaky").id();
            fail(a, "git");
            rounds.sync(a);
            copy(shared(), folder.resolve("backup"));
            a.purge(Set.of(leaky));
            rounds.sync(a);
            rounds.sync(b);
            delete(shared());
            copy(folder.resolve("backup"), shared());
            fail(a, "npm");
            String before = replica("a");
            rounds.sync(a);
            assertThat(replica("a")).isEqualTo(before);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
        try (XMemStore c = open("c")) {
            rounds.sync(c);
        }
        assertEqualStates("a", "b", "c");
        assertThat(String.join("", state("c").values())).contains("npm").doesNotContain("leaky");
    }

    /** Nothing was recorded since: the next opening detects that lines are missing at the backend. */
    @Test
    void open_backendRestoredFromABackupOrEmpty_hasEverythingAgain() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
            rounds.sync(a);
            copy(shared(), folder.resolve("backup"));
            fail(a, "npm");
            rounds.sync(a);
        }
        String before = replica("a");
        for (Path there : List.of(folder.resolve("backup"), folder.resolve("nothing"))) {
            delete(shared());
            if (Files.exists(there)) {
                copy(there, shared());
            }
            try (XMemStore a = open("a")) {
                rounds.sync(a);
                assertThat(rounds.sync(a).published()).isZero();
            }
            try (XMemStore b = open("b")) {
                rounds.sync(b);
                assertEqualStates("a", "b");
            }
            delete(dir("b"));
        }
        assertThat(replica("a")).isEqualTo(before);
    }

    /** From one backend to another and back: replicas of both backends get all entries. */
    @Test
    void open_withAnotherBackend_hasEverythingThereToo() throws IOException {
        Path other = folder.resolve("other");
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            fail(a, "leaky");
            rounds.sync(a);
            rounds.sync(b);
        }
        String id;
        try (XMemStore a = builder("a").sync(DirectoryBackend.at(other)).open();
                XMemStore b = builder("b").sync(DirectoryBackend.at(other)).open();
                XMemStore c = builder("c").sync(DirectoryBackend.at(other)).open()) {
            assertThat(rounds.sync(a).published()).isEqualTo(2);
            rounds.sync(b);
            rounds.sync(c);
            assertEqualStates("a", "b", "c");
            id = fail(a, "npm").id();
            rounds.sync(a);
            rounds.sync(b);
            rounds.sync(c);
            assertEqualStates("a", "b", "c");
            a.purge(Set.of(id));
            fail(a, "tar");
            rounds.sync(a);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
        String before = replica("a");
        try (XMemStore a = open("a");
                XMemStore d = open("d")) {
            rounds.sync(a);
            rounds.sync(d);
            assertThat(rounds.sync(a).published()).isZero();
        }
        assertEqualStates("a", "d");
        assertThat(replica("a")).isEqualTo(before);
    }
}
