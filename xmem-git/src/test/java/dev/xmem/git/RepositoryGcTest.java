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

/** What can be reached no more is removed, in a twentieth of the time at most, and never forgotten. */
class RepositoryGcTest {
    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();
    /** How far the clock goes on each time that somebody looks. */
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

    private RepositoryGc tidying() {
        return new RepositoryGc(repository, () -> clock.addAndGet(step));
    }

    private void lookAway(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    /** An object that no ref leads to. */
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
        tidying().ifDue();
        assertThat(has(one)).isTrue();
    }

    @Test
    void ifDue_theFirstIsDoneAtOnce_theNextWhenItIsTime() throws IOException {
        ObjectId one = loose("one");
        RepositoryGc tidying = tidying();
        tidying.owe();
        tidying.ifDue();
        assertThat(has(one)).isFalse();
        assertThat(tidying.problem()).isNull();
        ObjectId two = loose("two");
        tidying.owe();
        tidying.ifDue(); // it took a second, so nineteen have to go by
        assertThat(has(two)).isTrue();
        lookAway(20);
        tidying.ifDue();
        assertThat(has(two)).isFalse();
        ObjectId three = loose("three");
        lookAway(100);
        tidying.ifDue();
        assertThat(has(three)).as("nothing is owed any more").isTrue();
    }

    @Test
    void ifDue_owedByAProcessThatEnded_isDoneByTheNext() throws IOException {
        ObjectId one = loose("one");
        tidying().owe();
        tidying().ifDue();
        assertThat(has(one)).isFalse();
    }

    @Test
    void last_isDoneWhereItTakesNoTime() throws IOException {
        RepositoryGc slow = tidying();
        slow.owe();
        slow.ifDue();
        ObjectId one = loose("one");
        slow.owe();
        slow.last();
        assertThat(has(one)).isTrue();
        step = TimeUnit.MILLISECONDS.toNanos(1);
        RepositoryGc quick = tidying();
        quick.ifDue();
        ObjectId two = loose("two");
        quick.owe();
        quick.last();
        assertThat(has(one)).isFalse();
        assertThat(has(two)).isFalse();
    }

    @Test
    void ifDue_notPossible_isToldOfAndStaysOwed() throws IOException {
        Files.writeString(folder.resolve("git/refs/heads/broken"), "0123456789".repeat(4) + "\n");
        RepositoryGc tidying = tidying();
        tidying.owe();
        tidying.ifDue();
        assertThat(tidying.problem()).startsWith("the store's own repository could not be tidied: ");
        assertThat(folder.resolve("git/xmem-untidy")).exists();
    }
}
