package dev.xmem.core.faults;

import dev.xmem.VerifyReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.fixtures.Jvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store of any content takes of the heap, in JVMs with a small one. */
class SmallHeapTest {
    @TempDir
    Path directory;

    @Test
    void verify_of900KilobytesOfEmptyObjects_endsIn64MiB() throws Exception {
        Stores.appendRaw(directory, "failures.jsonl", "{}\n".repeat(300_000));
        try (Jvm jvm = Jvm.start(directory, List.of("-Xmx64m"), Verifier.class, directory)) {
            jvm.succeeds();
        }
    }

    /** In the other JVM: verifies a store whose lines have three findings each. */
    static final class Verifier {
        private Verifier() {}

        public static void main(String[] arguments) {
            try (XMemStore store = XMem.open(Path.of(arguments[0]))) {
                VerifyReport report = store.verify();
                if (report.count() != 3 * report.lines() || report.findings().size() != 3 * 21) {
                    throw new AssertionError(report.findings());
                }
            }
        }
    }
}
