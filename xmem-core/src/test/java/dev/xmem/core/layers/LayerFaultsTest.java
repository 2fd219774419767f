package dev.xmem.core.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.testing.LockHolder;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another store that is missing, slow, damaged, locked or deleted: the project's own answer is the same. */
class LayerFaultsTest {
    private static final ToolCall CALL = ToolCall.shell("npm install left-pad");
    private static final ToolError ERROR =
            ToolError.exit(1, "npm ERR! code EACCES: permission denied, mkdir '/usr/lib'");
    private static final String OWN = "Do not install globally.";
    private static final String USERS = "Set the prefix: npm config set prefix ~/.npm";

    @TempDir
    Path folder;

    private Path user() {
        return folder.resolve("user");
    }

    private XMemStore open(XMem.Builder other) {
        return XMem.builder(folder.resolve("project"))
                .alsoAsk(Layer.USER, other)
                .open();
    }

    private XMemStore open() {
        return open(XMem.builder(user()));
    }

    private void fill() {
        record("project", OWN);
        record("user", USERS);
    }

    private String record(String store, String lesson) {
        try (XMemStore open = XMem.open(folder.resolve(store))) {
            return open.recordFailure(Failure.of(CALL, ERROR).patternAvoid(lesson))
                    .id();
        }
    }

    @Test
    void missing_isNotCreated_andAskedWhenItComes() {
        record("project", OWN);
        try (XMemStore store = open()) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN);
            assertThat(user()).doesNotExist();
            assertThat(store.stats().layers().get(0).problem()).contains("there is no store in");
            record("user", USERS);
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN, USERS);
            assertThat(store.stats().layers().get(0).problem()).isNull();
        }
    }

    @Test
    void hanging_isLeftOut_andNotAskedUntilItEnds() throws Exception {
        fill();
        HangingHasher hasher = new HangingHasher();
        try (XMemStore store = open(XMem.builder(user()).hasher(hasher))) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN).doesNotContain(USERS);
            Advice second = store.recall(CALL, ERROR);
            assertThat(second.text()).contains(OWN).doesNotContain(USERS);
            assertThat(hasher.calls)
                    .as("a second question while the first hangs")
                    .isEqualTo(1);
            assertThat(store.stats().layers().get(0).late()).isEqualTo(2);
            hasher.open.countDown();
            while (!store.recall(CALL, ERROR).text().contains(USERS)) {
                Thread.onSpinWait();
            }
            assertThat(store.stats().layers().get(0).answered()).isPositive();
        }
    }

    @Test
    void hanging_doesNotKeepTheGuardOrClosingFromEnding() {
        fill();
        XMemStore store = XMem.builder(folder.resolve("project"))
                .guardLimit(Duration.ofSeconds(4)) // a busy machine
                .alsoAsk(Layer.USER, XMem.builder(user()).hasher(new HangingHasher()))
                .open();
        store.guard().warmUp();
        assertThat(store.guard().failed(CALL.session("s"), ERROR).text()).contains(OWN);
        store.close();
    }

    @Test
    void damaged_isCounted_andTheOwnAnswerStays() throws Exception {
        fill();
        Files.delete(user().resolve("data/failures.jsonl"));
        Files.createDirectory(user().resolve("data/failures.jsonl"));
        try (XMemStore store = open()) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN).doesNotContain(USERS);
            assertThat(store.stats().layers().get(0).failed()).isEqualTo(1);
            assertThat(store.stats().layers().get(0).problem()).contains("cannot be read");
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN);
        }
    }

    @Test
    void garbageInTheLog_isSkipped() throws Exception {
        fill();
        Path log = user().resolve("data/failures.jsonl");
        Files.writeString(log, "\u0000\u0001{{{\n[1,2]\n{\"id\":7}\n" + Files.readString(log) + "{\"torn");
        try (XMemStore store = open()) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN, USERS);
        }
    }

    @Test
    void deletedMeanwhile_isLeftOut_andAskedAgainWhenItIsBack() throws Exception {
        fill();
        try (XMemStore store = open()) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN, USERS);
            delete(user());
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN).doesNotContain(USERS);
            record("user", "Use nvm.");
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN, "Use nvm.");
        }
    }

    @Test
    void folderWithoutRights_isLeftOut() throws Exception {
        fill();
        Path data = user().resolve("data");
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
        try (XMemStore store = open()) {
            assertThat(store.recall(CALL, ERROR).text()).contains(OWN);
        } finally {
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Reading takes no lock; a vote waits in the background and keeps nothing else waiting. */
    @Test
    void lockedByAnotherProcess_answers_andVotesLater() throws Exception {
        fill();
        try (LockHolder other = new LockHolder(user().resolve(".xmem/lock"));
                XMemStore store = open()) {
            store.guard().warmUp();
            assertThat(store.guard().failed(CALL.session("s"), ERROR).text()).contains(OWN, USERS);
            store.guard()
                    .succeeded(ToolCall.shell("npm config set prefix ~/.npm && npm install left-pad")
                            .session("s"));
            store.flush();
            assertThat(store.stats().appended()).isPositive();
            assertThatCode(() -> store.recordFailure(Failure.of("x", "y", "z"))).doesNotThrowAnyException();
            other.release();
        }
    }

    @Test
    void twoProcesses_voteInOneUsersStore() throws Exception {
        fill();
        try (Jvm one = Jvm.start(folder, List.of(), VotingProcess.class, folder.resolve("one"), user(), "one");
                Jvm two = Jvm.start(folder, List.of(), VotingProcess.class, folder.resolve("two"), user(), "two")) {
            one.succeeds();
            two.succeeds();
        }
        try (XMemStore store = XMem.open(user())) {
            String id = store.search(Query.all()).matches().get(0).entry().id();
            for (String process : List.of("one", "two")) {
                for (int i = 0; i < VotingProcess.VOTES; i++) {
                    assertThat(store.reportOutcome(id, Outcome.WORKED, process + i))
                            .isFalse();
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException error) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Hangs until it is opened, as a store on a network drive may. */
    private static final class HangingHasher implements ContextHasher {
        private final CountDownLatch open = new CountDownLatch(1);
        private final ContextHasher hasher = XMem.hasher();
        private volatile int calls;

        @Override
        public String id() {
            return "hanging";
        }

        @Override
        public ContextHash hash(HashInput input) {
            boolean question =
                    input.error().contains("EACCES") && Thread.currentThread().isDaemon();
            if (question && open.getCount() > 0 && isAsked()) {
                calls++;
                try {
                    open.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return hasher.hash(input);
        }

        /** Not while the store is opened, which computes the hashes of its lines. */
        private static boolean isAsked() {
            return Arrays.stream(Thread.currentThread().getStackTrace())
                    .noneMatch(frame -> frame.getMethodName().contains("readLogs"));
        }
    }
}
