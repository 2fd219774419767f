package dev.xmem.core.maintain.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Retention;
import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs do to the logs of a closed store by putting other files in their place. */
class ReplacedLogTest {
    @TempDir
    Path folder;

    private Path directory;
    private Path log;

    @BeforeEach
    void record() {
        directory = folder.resolve("store");
        log = directory.resolve("data/failures.jsonl");
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 100; i++) {
                store.recordFailure(Failure.of("git", "push " + i, "denied to user " + "x".repeat(i) + " at once"));
            }
            store.writeNote(Note.of("note", "kept"));
        }
    }

    private VerifyReport verify() {
        return verify(directory);
    }

    private static VerifyReport verify(Path of) {
        try (XMemStore store = XMem.builder(of).readOnly().open()) {
            return store.verify();
        }
    }

    /** Puts a new file with other bytes in the place of a log, as most editors do. */
    private void replace(Path file, String text) throws IOException {
        Path other = Files.writeString(folder.resolve("other"), text);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private void work() {
        try (XMemStore store = Stores.in(directory)) {
            store.recordFailure(Failure.of("git", "fetch", "denied"));
        }
    }

    /** A program records meanwhile, which must not hide what happened before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verify_valueChangedInAnotherFile_isTold(boolean recorded) throws IOException {
        replace(log, Files.readString(log).replace("denied to user xx at", "denied to user xy at"));
        if (recorded) {
            work();
        }
        assertThat(verify().findings()).isEmpty();
        assertThat(verify().notices())
                .singleElement()
                .asString()
                .startsWith("failures.jsonl at byte 0: another program replaced the file")
                .endsWith("If that was meant, delete .xmem/seals.ndjson");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verify_logThatIsGone_isFound(boolean recorded) throws IOException {
        long bytes = Files.size(log);
        Files.delete(log);
        if (recorded) {
            work();
        }
        assertThat(verify().findings())
                .anySatisfy(finding -> assertThat(finding)
                        .contains(recorded ? "the log ends here" : "failures.jsonl at byte 0: the log is gone")
                        .contains("had " + bytes + " bytes when it was sealed"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verify_archiveThatIsGone_isFound(boolean recorded) throws IOException {
        Path archive =
                Files.createDirectories(directory.resolve("data/archive")).resolve("failures-2025-01.jsonl");
        Files.writeString(archive, Files.readString(log).replace("2026-02-14", "2025-01-14"));
        work();
        assertThat(verify().findings()).isEmpty();
        Files.delete(archive);
        if (recorded) {
            work();
        }
        assertThat(verify().findings())
                .singleElement()
                .asString()
                .startsWith("failures-2025-01.jsonl at byte 0: the log is gone");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verify_logThatWasEmptied_isFound(boolean inPlace) throws IOException {
        long bytes = Files.size(log);
        if (inPlace) {
            Files.writeString(log, "");
        } else {
            replace(log, "");
        }
        for (int i = 0; i < 2; i++) {
            assertThat(verify().findings())
                    .anySatisfy(
                            finding -> assertThat(finding).contains("the log ends here, and had " + bytes + " bytes"));
            work();
        }
    }

    @Test
    void verify_lineRemoved_isFound() throws IOException {
        String text = Files.readString(log);
        replace(log, text.substring(text.indexOf('\n') + 1));
        assertThat(verify().findings()).singleElement().asString().contains("the log ends here");
    }

    @Test
    void verify_copyOfAStore_isComparedWithItsChecksums() throws IOException {
        Path copy = folder.resolve("copy");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(directory.relativize(file).toString()));
            }
        }
        VerifyReport report = verify(copy);
        assertThat(report.findings()).isEmpty();
        assertThat(report.notices()).noneMatch(notice -> notice.contains("checksums"));
        Path copied = copy.resolve("data/failures.jsonl");
        Files.writeString(copied, Files.readString(copied).replace("user xx at", "user xy at"));
        assertThat(verify(copy).notices()).anyMatch(notice -> notice.contains("not those that were sealed"));
    }

    /** The checksums go on where they were, in the file of the copy. */
    @Test
    void seal_sameBytesInAnotherFile_goesOn() throws IOException {
        replace(log, Files.readString(log));
        work();
        assertThat(verify().findings()).isEmpty();
        String text = Files.readString(log);
        Files.writeString(log, text.replace("fetch", "patch"));
        assertThat(verify().findings()).isNotEmpty();
    }

    @Test
    void verify_checksumsDeleted_isOnlyTold() throws IOException {
        replace(log, Files.readString(log).replace("user xx at", "user xy at"));
        Files.delete(directory.resolve(".xmem/seals.ndjson"));
        VerifyReport report = verify();
        assertThat(report.findings()).isEmpty();
        assertThat(report.notices())
                .containsExactly(
                        "no checksums yet of failures.jsonl, notes.jsonl: lines were read, and bytes not compared");
        work();
        assertThat(verify().notices()).isEmpty();
    }

    @Test
    void verify_whatMaintenanceReplaced_isClean() throws IOException {
        try (XMemStore store = Stores.in(directory)) {
            for (int i = 0; i < 3; i++) {
                store.recordFailure(Failure.of("git", "fetch", "denied"));
            }
            store.flush();
            Path backup =
                    store.compact(store.planCompaction(Retention.defaults())).backup();
            assertThat(store.verify().findings()).isEmpty();
            store.flush();
            store.restore(backup);
            assertThat(store.verify().findings()).isEmpty();
            store.flush();
            store.purge(Set.of("2026-02-14-001"));
            assertThat(store.verify().findings()).isEmpty();
        }
        assertThat(verify().findings()).isEmpty();
        assertThat(verify().notices()).isEmpty();
    }

    /** Another process writes the index of a large store meanwhile, under the lock that guards the checksums. */
    @Test
    void compact_lockOfTheChecksumsIsHeld_waitsAndIsClean() throws IOException {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store = TestStores.builder(directory, disk)
                .clock(InstantSource.fixed(Stores.NOW))
                .open()) {
            for (int i = 0; i < 3; i++) {
                store.recordFailure(Failure.of("git", "fetch", "denied"));
            }
            store.flush();
            disk.heldFor = file -> file.endsWith("index-lock") ? TimeUnit.SECONDS.toNanos(29) : 0;
            store.compact(store.planCompaction(Retention.defaults()));
            disk.heldFor = file -> 0;
        }
        assertThat(verify().findings()).isEmpty();
        assertThat(verify().notices()).isEmpty();
    }

    /** Other programs write to a shared log as they like. */
    @Test
    void verify_sharedLogThatWasReplaced_isClean() throws IOException {
        Path shared = folder.resolve("notes.jsonl");
        Path own = folder.resolve("own");
        List<String> names = List.of("a", "b", "c");
        try (XMemStore store = XMem.builder(own).log(Entry.Kind.NOTE, shared).open()) {
            names.forEach(name -> store.writeNote(Note.of("note", name)));
        }
        String text = Files.readString(shared);
        replace(shared, text.substring(text.indexOf('\n') + 1));
        try (XMemStore store =
                XMem.builder(own).log(Entry.Kind.NOTE, shared).readOnly().open()) {
            VerifyReport report = store.verify();
            assertThat(report.findings()).isEmpty();
            assertThat(report.notices()).hasSize(1);
        }
    }
}
