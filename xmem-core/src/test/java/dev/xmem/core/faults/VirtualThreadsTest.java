package dev.xmem.core.faults;

import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are used by virtual threads. */
@EnabledForJreRange(
        min = JRE.JAVA_25,
        disabledReason = "before JDK 24, a monitor keeps the carrier of a virtual thread")
class VirtualThreadsTest {
    @TempDir
    Path folder;

    private void run(int threads) throws IOException, InterruptedException {
        List<String> options = List.of(
                "-Djdk.virtualThreadScheduler.parallelism=2",
                "-Djdk.virtualThreadScheduler.maxPoolSize=2",
                "-Xlog:disable",
                "-Xlog:all=error:stderr");
        try (Jvm jvm = Jvm.start(folder, options, VirtualThreads.class, folder, threads)) {
            jvm.succeeds();
        }
    }

    @Test
    void store_usedByVirtualThreads_keepsNoCarrier() throws Exception {
        run(400);
    }

    @Test
    @Tag("soak")
    void store_usedByThousandsOfVirtualThreads_keepsNoCarrier() throws Exception {
        run(20_000);
    }
}
