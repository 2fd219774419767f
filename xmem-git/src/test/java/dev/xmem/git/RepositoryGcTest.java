package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unreachable objects are removed, in at most a twentieth of the time, and no request is lost. */
class RepositoryGcTest {
    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();
    /** How far the clock advances each time it is read. */
    private long step = TimeUnit.SECONDS.toNanos(1);

    private Repository repository;

    @BeforeEach
    void create() throws IOException {
        repository = new FileRepositoryBuilder()
                .setBare()
                .setGitDir(folder.resolve("git").toFile())
                .build();
        repository.create(true);
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private RepositoryGc gc() {
        return new RepositoryGc(repository, () -> clock.addAndGet(step));
    }

    private void lookAway(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    /** An object without a ref. */
    private ObjectId loose(String text) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            ObjectId id = inserter.insert(Constants.OBJ_BLOB, text.getBytes(StandardCharsets.UTF_8));
            inserter.flush();
            return id;
        }
    }

    private boolean has(ObjectId id) {
        return Files.exists(folder.resolve("git/objects")
                .resolve(id.name().substring(0, 2))
                .resolve(id.name().substring(2)));
    }

    @Test
    void ifDue_nothingIsOwed_nothingGoes() throws IOException {
        ObjectId one = loose("one");
        gc().runIfDue();
        assertThat(has(one)).isTrue();
    }

    @Test
    void ifDue_theFirstIsDoneAtOnce_theNextWhenItIsTime() throws IOException {
        ObjectId one = loose("one");
        RepositoryGc gc = gc();
        gc.request();
        gc.runIfDue();
        assertThat(has(one)).isFalse();
        assertThat(gc.problem()).isNull();
        ObjectId two = loose("two");
        gc.request();
        gc.runIfDue(); // the first one took a second, so the next is due after nineteen
        assertThat(has(two)).isTrue();
        lookAway(20);
        gc.runIfDue();
        assertThat(has(two)).isFalse();
        ObjectId three = loose("three");
        lookAway(100);
        gc.runIfDue();
        assertThat(has(three)).as("nothing is owed any more").isTrue();
    }

    @Test
    void runIfDue_requestedByAProcessThatEnded_isRunByTheNext() throws IOException {
        ObjectId one = loose("one");
        gc().request();
        gc().runIfDue();
        assertThat(has(one)).isFalse();
    }

    @Test
    void last_isDoneWhereItTakesNoTime() throws IOException {
        RepositoryGc slow = gc();
        slow.request();
        slow.runIfDue();
        ObjectId one = loose("one");
        slow.request();
        slow.runIfShort();
        assertThat(has(one)).isTrue();
        step = TimeUnit.MILLISECONDS.toNanos(1);
        RepositoryGc quick = gc();
        quick.runIfDue();
        ObjectId two = loose("two");
        quick.request();
        quick.runIfShort();
        assertThat(has(one)).isFalse();
        assertThat(has(two)).isFalse();
    }

    @Test
    void ifDue_notPossible_isToldOfAndStaysOwed() throws IOException {
        Files.writeString(folder.resolve("git/refs/heads/broken"), "0123456789".repeat(4) + "\n");
        RepositoryGc gc = gc();
        gc.request();
        gc.runIfDue();
        assertThat(gc.problem()).startsWith("the garbage collection of the store's repository failed: ");
        assertThat(folder.resolve("git/xmem-untidy")).exists();
    }
}
