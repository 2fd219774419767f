package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Many stores in one JVM: what they took of the process is given back. Reads /proc. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "counts the files and mappings of the process in /proc")
class ManyStoresTest {
    @TempDir
    Path folder;

    private void run(int closed, int open) throws IOException, InterruptedException {
        try (Jvm jvm = Jvm.start(folder, List.of("-Xmx128m"), ManyStores.class, folder, closed, open)) {
            jvm.succeeds();
        }
    }

    @Test
    void stores_openedAndClosed_leaveNothingOpen() throws Exception {
        run(40, 8);
    }

    @Test
    @Tag("soak")
    void stores_openedAndClosedByTheThousand_leaveNothingOpen() throws Exception {
        run(2_000, 200);
    }

    @Test
    @Tag("soak")
    void program_isCheckedAgainstALeak() throws Exception {
        try (Jvm jvm = Jvm.start(folder, List.of("-Xmx128m"), ManyStores.class, folder, 40, 8, "leak")) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(jvm::succeeds))
                    .hasMessageContaining("files are open");
        }
    }
}
