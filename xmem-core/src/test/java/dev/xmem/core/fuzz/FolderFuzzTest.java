package dev.xmem.core.fuzz;

import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders with changed files, in a small heap: each call of a store ends, with an answer or a typed error. */
class FolderFuzzTest {
    @TempDir
    Path folder;

    @Test
    void folders_changed_areAnsweredOrRefused() throws Exception {
        run(1, 24, 3_600);
    }

    /** For as long as {@code -Dxmem.soak.fuzzSeconds} says: an hour without it. */
    @Test
    @Tag("soak")
    void folders_changedForLong_areAnsweredOrRefused() throws Exception {
        run(System.currentTimeMillis(), Long.MAX_VALUE / 4, Long.getLong("xmem.soak.fuzzSeconds", 3_600));
    }

    private void run(long first, long count, long seconds) throws IOException, InterruptedException {
        Object[] arguments = {folder.resolve("fuzz"), first, count, seconds};
        try (Jvm jvm = Jvm.start(folder, List.of("-Xmx96m"), FolderFuzz.class, arguments)) {
            jvm.succeeds();
        }
    }
}
