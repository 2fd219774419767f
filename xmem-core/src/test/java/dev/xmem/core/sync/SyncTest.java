package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Note;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import dev.xmem.testing.SyncRounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Stores that sync through a shared folder: valid streams, and refused ones. */
class SyncTest extends SyncFixture {
    @Test
    void sync_withoutABackend_saysWhatToDo() {
        try (XMemStore store = XMem.inMemory()) {
            assertThatThrownBy(() -> store.sync(LIMIT))
                    .isInstanceOf(XMemException.Unsupported.class)
                    .hasMessageContaining("sync(");
            assertThat(store.stats().sync()).isNull();
        }
    }

    @Test
    void open_readOnlyOrWrongFigures_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder("a")
                        .sync(DirectoryBackend.at(shared()))
                        .readOnly()
                        .open());
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").peerTrust(1.1));
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").peerTrust(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> builder("a").syncInterval(Duration.ZERO));
    }

    @Test
    void sync_twoStores_bothHaveTheBytesOfBoth() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(a, "git");
            a.writeNote(Note.of("note", "über «das» 😀"));
            fail(b, "npm");
            SyncRounds.Done first = rounds.sync(a);
            assertThat(first.published()).isEqualTo(2);
            assertThat(first.imported()).isZero();
            assertThat(first.pending()).isZero();
            SyncRounds.Done second = rounds.sync(b);
            assertThat(second.published()).isEqualTo(1);
            assertThat(second.imported()).isEqualTo(2);
            assertThat(rounds.sync(a).imported()).isEqualTo(1);
            assertThat(rounds.sync(a).imported()).isZero();
            assertThat(rounds.sync(b).published()).isZero();
            assertThat(first.replica()).isEqualTo(replica("a"));
            assertThat(first.backend()).isEqualTo("directory");
            assertThat(a.stats().sync().published()).isEqualTo(2);
        }
        assertEqualStates("a", "b");
        assertThat(state("a")).hasSize(3);
    }

    @Test
    void worker_byItself_publishesAndImports() throws Exception {
        try (XMemStore a = XMem.builder(dir("a"))
                        .sync(DirectoryBackend.at(shared()))
                        .open();
                XMemStore b = XMem.builder(dir("b"))
                        .sync(DirectoryBackend.at(shared()))
                        .open()) {
            fail(a, "git");
            for (int i = 0; i < 600 && b.stats().sync().imported() == 0; i++) {
                Thread.sleep(50);
            }
            assertThat(b.stats().sync().imported()).isEqualTo(1);
            assertThat(a.stats().sync().pending()).isZero();
        }
        assertEqualStates("a", "b");
    }

    @Test
    void close_withWhatWaits_publishesIt() throws IOException {
        try (XMemStore a = open("a")) {
            fail(a, "git");
        }
        try (XMemStore b = open("b")) {
            assertThat(rounds.sync(b).imported()).isEqualTo(1);
        }
    }

    @Test
    void sync_manyEntries_inAnyPortions_equal() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            for (int i = 0; i < 300; i++) {
                fail(a, "tool" + i);
                if (i % 70 == 0) {
                    rounds.sync(a);
                    rounds.sync(b);
                }
            }
            rounds.sync(a);
            rounds.sync(b);
        }
        assertEqualStates("a", "b");
    }

    @Test
    void find_coveredIdThatOthersHaveToo_leadsToTheLineThatCoversIt() throws IOException {
        try (XMemStore a = open("a");
                XMemStore b = open("b")) {
            fail(b, "git");
            rounds.sync(b);
            String first = fail(a, "npm").id();
            String second = fail(a, "npm").id();
            rounds.sync(a);
            a.compact(a.planCompaction(Retention.defaults()));
            assertThat(a.find(first))
                    .hasValueSatisfying(entry -> assertThat(entry.id()).isEqualTo(second));
        }
    }

    @Test
    void sync_linesThatAreNoEntries_refusedAndTold() throws IOException {
        Path hostile = shared().resolve("xmem-v1").resolve("d".repeat(32));
        Files.createDirectories(hostile);
        Files.writeString(
                hostile.resolve("failures.1.jsonl"),
                "{\"id\":\"2026-01-01-001\",\"type\":\"tool_failure\",\"tool\":\"x\",\"error\":\"\\u001b[31mboo```\"}\n"
                        + "not json\n"
                        + "[".repeat(100_000) + "\n"
                        + "{\"long\":\"" + "y".repeat(2 << 20) + "\"}\n"
                        + "{\"id\":\"2026-01-01-002\",\"type\":\"tool_failure\",\"tool\":\"y\",\"error\":\"z\"}\n");
        try (XMemStore a = open("a")) {
            SyncRounds.Done report = rounds.sync(a);
            assertThat(report.imported()).isEqualTo(2);
            assertThat(report.refused()).hasSize(3).allMatch(text -> text.startsWith("dddddddd/failures at byte "));
            assertThat(String.join("", report.refused())).doesNotContain("yyy");
            assertThat(a.stats().sync().refused()).hasSize(3);
            fail(a, "after");
        }
        Path imported = dir("a").resolve("data/peers").resolve("d".repeat(32)).resolve("failures.jsonl");
        assertThat(Files.readAllLines(imported)).hasSize(2);
        // The ids of other replicas do not affect the counter.
        assertThat(Files.readString(dir("a").resolve("data/failures.jsonl"))).contains("-001\"");
    }

    @Test
    void sync_globalDirectives_stayWithTheUser() throws IOException {
        Path global = folder.resolve("global.ndjson");
        try (XMemStore a = builder("a")
                .globalDirectives(global)
                .sync(DirectoryBackend.at(shared()))
                .open()) {
            a.remember(dev.xmem.Directive.rule(new dev.xmem.Directive.Triple("builds", "are", "heavy"))
                    .global());
            assertThat(rounds.sync(a).published()).isZero();
        }
    }
}
