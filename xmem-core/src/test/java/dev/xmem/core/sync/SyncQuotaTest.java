package dev.xmem.core.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Limits;
import dev.xmem.Query;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a peer publishes beyond a limit, or that is no line, is told, left out, and not read again until it changes. */
class SyncQuotaTest extends SyncFixture {
    private static final String PEER = "0123456789abcdef".repeat(2);
    private static final String OTHER = "fedcba9876543210".repeat(2);

    /** The bytes that were read from the shared folder. */
    private final AtomicLong read = new AtomicLong();

    private Path theirs;

    @BeforeEach
    void makePeer() throws IOException {
        theirs = Files.createDirectories(shared().resolve("xmem-v1").resolve(PEER))
                .resolve("failures.1.jsonl");
    }

    private XMemStore open(Limits limits) {
        return builder("own")
                .limits(limits)
                .sync(new DirectorySync(counting(), shared()))
                .open();
    }

    private XMemStore open() {
        return open(Limits.defaults());
    }

    private FileSystem counting() {
        NativeFileSystem files = new NativeFileSystem();
        return proxy(FileSystem.class, files);
    }

    /** Forwards all calls, and counts the bytes that files and inputs return. */
    private <T> T proxy(Class<T> type, Object to) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            try {
                Object result = method.invoke(to, args);
                if (method.getName().equals("read") && result instanceof Integer n) {
                    read.addAndGet(n);
                } else if (method.getName().equals("read") && result instanceof byte[] bytes) {
                    read.addAndGet(bytes.length);
                }
                return result instanceof FileSystem.Input ? proxy(FileSystem.Input.class, result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private long readIn(XMemStore store) {
        read.set(0);
        store.sync(LIMIT);
        return read.get();
    }

    private static String lines(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("{\"id\":\"2026-01-01-%03d\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\","
                    .formatted(i));
            lines.append("\"tool\":\"git\",\"error\":\"%s\"}\n".formatted("x".repeat(900)));
        }
        return lines.toString();
    }

    @Test
    void zeros_areReadOnce_untilTheFileChanges() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(theirs.toFile(), "rw")) {
            file.setLength(1L << 30);
        }
        try (XMemStore store = open()) {
            store.recordFailure(Failure.of("git", "push", "own"));
            read.set(0);
            SyncReport first = store.sync(LIMIT);
            assertThat(first.refused()).singleElement().asString().contains("01234567/failures", "no line");
            assertThat(read.get()).isBetween(1L << 20, 80L << 20);
            assertThat(readIn(store)).isLessThan(1000);
            assertThat(store.sync(LIMIT).refused()).hasSize(1);
            assertThat(store.verify().findings()).singleElement().asString().contains("01234567/failures", "owner");
        }
        try (XMemStore store = open()) {
            assertThat(readIn(store)).as("after a restart").isLessThan(1000);
            Files.setLastModifiedTime(theirs, FileTime.fromMillis(1));
            assertThat(readIn(store)).as("after a change").isGreaterThan(1L << 20);
            Files.writeString(theirs, lines(1, 3));
            store.sync(LIMIT);
            assertThat(store.search(Query.all().tool("git")).matches()).hasSize(3);
            assertThat(store.verify().findings()).isEmpty();
            assertThat(store.sync(LIMIT).refused()).isEmpty();
        }
    }

    @Test
    void streamOverALimit_isToldAndNotReadAgain_untilItsOwnerReplacesIt() throws IOException {
        Files.writeString(theirs, lines(1, 100));
        Limits limits = Limits.defaults().storeBytes(50_000);
        try (XMemStore store = open(limits)) {
            store.recordFailure(Failure.of("git", "push", "own"));
            assertThat(store.sync(LIMIT).refused()).hasSize(1);
            assertThat(readIn(store)).isLessThan(1000);
            assertThat(store.sync(LIMIT).refused()).singleElement().asString().contains("01234567/failures");
            Files.writeString(theirs, lines(100, 200));
            assertThat(readIn(store)).isLessThan(1000);
        }
        try (XMemStore store = open(limits)) {
            assertThat(readIn(store)).as("after a restart").isLessThan(1000);
            Files.writeString(theirs.resolveSibling("failures.2.jsonl"), lines(1, 5));
            assertThat(store.sync(LIMIT).refused()).isEmpty();
            assertThat(store.search(Query.all()).matches()).hasSize(5);
        }
    }

    @Test
    void quota_ofAPeer_holdsForAllItsStreams_andOthersAreImported() throws IOException {
        Path others = Files.createDirectories(shared().resolve("xmem-v1").resolve(OTHER));
        Files.writeString(theirs, lines(1, 20));
        Files.writeString(theirs.resolveSibling("successes.1.jsonl"), lines(100, 120));
        Files.writeString(others.resolve("failures.1.jsonl"), lines(200, 219));
        try (XMemStore store = open(Limits.defaults().peerBytes(25_000))) {
            SyncReport report = store.sync(LIMIT);
            assertThat(report.imported()).isEqualTo(38);
            assertThat(report.unread()).singleElement().satisfies(left -> {
                assertThat(left.replica()).isEqualTo(PEER);
                assertThat(left.stream()).isEqualTo("successes");
                assertThat(left.reason()).isEqualTo(SyncReport.Reason.LIMIT);
                assertThat(left.text()).startsWith("01234567/successes").contains("peerBytes");
            });
            assertThat(store.stats().sync().unread()).hasSize(1);
            assertThat(store.verify().findings()).singleElement().asString().startsWith("01234567/successes");
            assertThat(store.search(Query.all()).total()).isEqualTo(38);
        }
        try (XMemStore store = open(Limits.defaults().importBytes(45_000))) {
            assertThat(store.sync(LIMIT).unread()).as("no room in all").hasSize(1);
        }
        try (XMemStore store = open()) {
            assertThat(store.sync(LIMIT).unread()).as("room").isEmpty();
            assertThat(store.search(Query.all()).total()).isEqualTo(58);
            assertThat(store.verify().findings()).isEmpty();
        }
    }

    @Test
    void quota_whatIsImportedGrows_staysAndIsNotReadOn() throws IOException {
        Limits limits = Limits.defaults().peerBytes(25_000);
        Files.writeString(theirs, lines(1, 20));
        try (XMemStore store = open(limits)) {
            assertThat(store.sync(LIMIT).unread()).isEmpty();
            Files.writeString(theirs, lines(1, 40));
            assertThat(store.sync(LIMIT).unread()).hasSize(1);
            assertThat(store.search(Query.all()).total()).isEqualTo(19);
            assertThat(readIn(store)).isLessThan(1000);
        }
    }

    /** A higher generation is how an owner erases: what it replaces goes, also if the new one is too large. */
    @Test
    void quota_ofAHigherGeneration_removesTheLowerOne() throws IOException {
        Limits limits = Limits.defaults().peerBytes(25_000);
        Files.writeString(theirs, lines(1, 20));
        try (XMemStore store = open(limits)) {
            store.sync(LIMIT);
            Files.writeString(theirs.resolveSibling("failures.2.jsonl"), lines(100, 200));
            assertThat(store.sync(LIMIT).unread()).hasSize(1);
            assertThat(store.search(Query.all()).total()).isZero();
            assertThat(readIn(store)).isLessThan(1000);
            Files.writeString(theirs.resolveSibling("failures.3.jsonl"), lines(1, 5));
            assertThat(store.sync(LIMIT).unread()).isEmpty();
            assertThat(store.search(Query.all()).total()).isEqualTo(4);
        }
    }

    @Test
    void poll_lineThatIsBeingWritten_isNotToldAndReadWhenItIsWhole() throws IOException {
        String whole = lines(1, 2);
        Files.writeString(theirs, whole.substring(0, 500));
        try (XMemStore store = open()) {
            assertThat(store.sync(LIMIT).refused()).isEmpty();
            assertThat(readIn(store)).isLessThan(500);
            Files.writeString(theirs, whole);
            store.sync(LIMIT);
            assertThat(store.search(Query.all()).total()).isEqualTo(1);
        }
    }
}
