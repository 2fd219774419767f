package dev.xmem.core.maintain.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one process verified, the next believes. The tests edit the first line of a log in place: whoever reads it again
 * finds the tool {@code gut}, and only the index that was made before knows the tool {@code git} there.
 */
class VerifiedFilesTest {
    private static final int SEGMENT = 32;

    @TempDir
    Path folder;

    private Instant now = Instant.now();
    private Path log;
    private Path verified;

    @BeforeEach
    void fillAndVerify() throws IOException {
        log = folder.resolve("data/failures.jsonl");
        verified = folder.resolve(".xmem/verified.ndjson");
        try (XMemStore store = open()) {
            for (int i = 0; i < 3 * SEGMENT + 5; i++) {
                store.recordFailure(Failure.of("git", "push", "fatal: quota failed " + i));
            }
            store.verify();
        }
        setOld(log);
        try (XMemStore store = open()) {
            TestStores.checkNow(store);
        }
        assertThat(verified).isNotEmptyFile();
    }

    private XMemStore open() {
        return TestStores.builder(folder, SEGMENT).clock(() -> now).open();
    }

    /** Long enough ago that nothing else is written within the same tick of the clock. */
    private static void setOld(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private void edit() throws IOException {
        byte[] bytes = Files.readAllBytes(log);
        String text = new String(bytes, StandardCharsets.UTF_8).replaceFirst("\"git\"", "\"gut\"");
        Files.write(log, text.getBytes(StandardCharsets.UTF_8));
    }

    private void editUnseen() throws IOException {
        FileTime before = Files.getLastModifiedTime(log);
        edit();
        Files.setLastModifiedTime(log, before);
    }

    /** Whether the check of a new process reads the log. */
    private boolean reads() throws IOException {
        try (XMemStore store = open()) {
            assertThat(found(store)).isZero();
            TestStores.checkNow(store);
            return found(store) == 1;
        }
    }

    private static long found(XMemStore store) {
        return store.search(Query.all().tool("gut").limit(1)).total();
    }

    @Test
    void check_ofWhatAnotherProcessVerified_readsNothing() throws IOException {
        editUnseen();
        assertThat(reads()).isFalse();
    }

    @Test
    void check_ofALogThatWasChangedInPlace_readsIt() throws IOException {
        edit();
        assertThat(reads()).isTrue();
    }

    @Test
    void check_aDayLater_readsEverything() throws IOException {
        editUnseen();
        now = now.plus(Duration.ofDays(1));
        assertThat(reads()).isTrue();
    }

    @Test
    void check_beforeItWasVerified_readsEverything() throws IOException {
        editUnseen();
        now = now.minus(Duration.ofDays(1));
        assertThat(reads()).isTrue();
    }

    @Test
    void check_ofALogThatGrew_readsOnlyItsEnd() throws IOException {
        try (XMemStore store = open()) {
            store.recordFailure(Failure.of("git", "push", "fatal: quota failed"));
        }
        editUnseen();
        assertThat(reads()).isFalse();
        now = now.plus(Duration.ofDays(1));
        assertThat(reads()).isTrue();
    }

    @Test
    void verify_always_readsEverything() throws IOException {
        editUnseen();
        try (XMemStore store = open()) {
            assertThat(store.verify().findings()).anyMatch(finding -> finding.contains("was changed in place"));
            assertThat(found(store)).isOne();
        }
    }

    @Test
    void check_ofADamagedSegment_findsItAndBelievesTheNextOne() throws IOException {
        List<Path> facts;
        try (Stream<Path> files = Files.list(folder.resolve(".xmem/index"))) {
            facts = files.filter(file -> file.toString().endsWith(".facts"))
                    .sorted()
                    .toList();
        }
        byte[] whole = Files.readAllBytes(facts.get(0));
        byte[] damaged = whole.clone();
        damaged[100] ^= 1;
        Files.write(facts.get(0), damaged);
        try (XMemStore store = open()) {
            TestStores.checkNow(store);
            store.verify();
        }
        assertThat(Files.readAllBytes(facts.get(0))).isEqualTo(whole);
        editUnseen();
        assertThat(reads()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0\0\0\0",
                "[]",
                "{\"log\":7}",
                "KEEP,\"segments\":-1",
                "KEEP,\"segments\":2147483648",
                "KEEP,\"segments\":99",
                "KEEP,\"segments\":1e3",
                "KEEP,\"segments\":null",
                "KEEP,\"digest\":0",
                "KEEP,\"bytes\":99999999999",
                "KEEP,\"verified_millis\":-9223372036854775808",
                "KEEP,\"verified_millis\":9223372036854775807",
                "KEEP,\"key\":\"(dev=0,ino=0)\"",
                "KEEP,\"key\":[\"a\"]",
                "BIG"
            })
    void check_withAHostileFile_readsEverything(String content) throws IOException {
        String line = Files.readString(verified).strip();
        String hostile = content.startsWith("KEEP")
                ? line.substring(0, line.length() - 1) + content.substring("KEEP".length()) + "}\n"
                : content.equals("BIG") ? line + "\n".repeat(1 << 20) : content;
        Files.writeString(verified, hostile);
        editUnseen();
        assertThat(reads()).isTrue();
    }

    @Test
    void check_withoutTheFileOrWithAFolderInItsPlace_readsEverything() throws IOException {
        Files.delete(verified);
        Files.createDirectory(verified);
        replacesWhatSaysNothing();
    }

    @Test
    void check_withAPipeInItsPlace_readsEverything() throws Exception {
        Files.delete(verified);
        Process made = new ProcessBuilder("mkfifo", verified.toString()).start();
        assumeTrue(made.waitFor() == 0, "there are no pipes here");
        replacesWhatSaysNothing();
    }

    private void replacesWhatSaysNothing() throws IOException {
        editUnseen();
        assertThat(reads()).isTrue();
        try (XMemStore store = open()) {
            store.verify();
        }
        assertThat(verified).isRegularFile().isNotEmptyFile();
    }

    @Test
    void check_withAnUnreadableFile_readsEverything() throws IOException {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        disk.unreadable = (file, position) -> file.equals(verified);
        String before = Files.readString(verified);
        now = now.plusSeconds(1);
        try (XMemStore store = open(disk)) {
            TestStores.checkNow(store);
        }
        assertThat(Files.readString(verified)).isNotEqualTo(before);
        editUnseen();
        try (XMemStore store = open(disk)) {
            TestStores.checkNow(store);
            assertThat(found(store)).isOne();
        }
    }

    private XMemStore open(FileSystem disk) {
        return TestStores.withSegmentLines(TestStores.builder(folder, disk), SEGMENT)
                .clock(() -> now)
                .open();
    }

    @Test
    void check_thatCannotBeNoted_isDoneAgain() throws IOException {
        Files.delete(verified);
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        disk.unwritable = verified::equals;
        try (XMemStore store = TestStores.withSegmentLines(TestStores.builder(folder, disk), SEGMENT)
                .open()) {
            TestStores.checkNow(store);
            assertThat(store.verify().findings()).isEmpty();
        }
        assertThat(verified).doesNotExist();
        editUnseen();
        assertThat(reads()).isTrue();
    }

    @Test
    void processes_thatCheckAndAppendAtTheSameTime_leaveAFileThatTheNextOneBelieves() throws Exception {
        List<Jvm> running = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                running.add(Jvm.start(folder, List.of(), CheckingProcess.class, folder, SEGMENT, i));
            }
            for (Jvm jvm : running) {
                jvm.succeeds();
            }
        } finally {
            for (Jvm jvm : running) {
                jvm.close();
            }
        }
        try (XMemStore store = open()) {
            assertThat(store.verify().findings()).isEmpty();
            assertThat(store.stats().failures()).isEqualTo(3 * SEGMENT + 5 + 2 * CheckingProcess.ENTRIES);
        }
        setOld(log);
        now = Instant.now();
        try (XMemStore store = open()) {
            TestStores.checkNow(store);
        }
        editUnseen();
        assertThat(reads()).isFalse();
    }

    @Test
    void process_thatIsKilledWhileItChecks_leavesAFileThatTheNextOneBelieves() throws Exception {
        try (Jvm jvm = Jvm.start(folder, List.of(), CheckingProcess.class, folder, SEGMENT, 2)) {
            jvm.makes(folder.resolve("checked-2"));
        }
        setOld(log);
        now = Instant.now();
        try (XMemStore store = open()) {
            TestStores.checkNow(store);
            assertThat(store.verify().findings()).isEmpty();
        }
        editUnseen();
        assertThat(reads()).isFalse();
    }

    /** A store that closes waits for the comparison, however slow the disk is. */
    @Test
    void comparisonOfALogWithItsSegments_whenStopped_readsNoFurther() throws Exception {
        Path large = folder.resolve("large");
        Path compared = Files.createDirectories(large.resolve("data")).resolve("failures.jsonl");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            lines.append("{\"type\":\"tool_failure\",\"tool\":\"git\",\"error\":\"e%d\",\"notes\":\"%s\"}\n"
                    .formatted(i, "x".repeat(5_000)));
        }
        Files.writeString(compared, lines);
        try (XMemStore store = TestStores.builder(large, 512).open()) {
            assertThat(store.search(Query.words("e7")).matches()).hasSize(1);
        }
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        try (XMemStore store = TestStores.withSegmentLines(TestStores.builder(large, disk), 512)
                .open()) {
            AtomicInteger reads = new AtomicInteger();
            Thread here = Thread.currentThread();
            disk.unreadable = (file, position) -> {
                if (file.equals(compared) && Thread.currentThread() == here) {
                    reads.incrementAndGet();
                }
                return false;
            };
            LogRegistry logs = TestStores.registry(store);
            assertThat(logs.readAgainWhatChanged(log -> 0, () -> reads.get() >= 3))
                    .isEmpty();
            assertThat(reads).hasValue(3);
            assertThat(logs.readAgainWhatChanged(log -> 0, () -> false)).isEmpty();
            assertThat(reads).hasValueGreaterThan(3 + lines.length() / (1 << 16)); // of 64 KiB each
        }
    }
}
