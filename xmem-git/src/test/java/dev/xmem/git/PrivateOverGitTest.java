package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is private is in no object of a remote repository, by sync or export. */
class PrivateOverGitTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String WORD = "zebrafish";

    @TempDir
    Path folder;

    private static void fill(XMemStore store) {
        String id = store.recordFailure(Failure.of("ssh", WORD, "Permission denied (publickey) " + WORD)
                        .tags("private"))
                .id();
        store.reportOutcome(id, Outcome.WORKED, WORD);
        store.writeNote(Note.of("note", WORD).tags("private"));
        store.remember(Directive.parse("never use " + WORD).tags("private"));
        store.recordFailure(Failure.of("ssh", "open-host", "Permission denied (publickey)"));
    }

    /** Everything in all objects of a repository. */
    private static String objects(Remote remote) throws Exception {
        return remote.git("cat-file", "--batch-all-objects", "--batch", "--buffer");
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void syncAndExport_doNotHoldIt(Transport transport) throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Path dir = folder.resolve("a");
        try (XMemStore store = XMem.builder(dir)
                .sync(GitSyncBackend.of(dir, remote.folder().toString())
                        .transport(transport)
                        .build())
                .open()) {
            fill(store);
            assertThat(store.sync(LIMIT).lastError()).isNull();
        }
        Exported exported = GitExport.toBranch(dir, remote.folder().toString(), "memory", transport)
                .export(LIMIT);
        assertThat(exported.pushed()).isTrue();
        assertThat(objects(remote)).doesNotContain(WORD).contains("open-host");
    }

    @Test
    void exportOfAPrivateStore_isRefused() throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Path dir = folder.resolve("a");
        try (XMemStore store = XMem.builder(dir).privateStore().open()) {
            fill(store);
        }
        GitExport export = GitExport.toBranch(dir, remote.folder().toString(), "memory", Transport.JGIT);
        assertThatThrownBy(() -> export.export(LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("private");
        assertThat(remote.git("for-each-ref")).isEmpty();
    }
}
