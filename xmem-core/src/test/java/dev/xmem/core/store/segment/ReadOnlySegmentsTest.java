package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A store that is open to be read, while others append for days, does not keep all their lines in memory: it reads the
 * segments that they write.
 */
class ReadOnlySegmentsTest {
    private static final int SEGMENT_LINES = 16;
    private static final int LINES = 12 * SEGMENT_LINES + 3;

    private static XMem.Builder builder(FileSystem disk) {
        return TestStores.withSegmentLines(
                TestStores.builder(Path.of("/store"), disk).random(new Random(1)), SEGMENT_LINES);
    }

    @Test
    void search_linesThatAnotherStoreSealedMeanwhile_readsItsSegments() {
        InMemoryFileSystem files = new InMemoryFileSystem();
        FaultyFileSystem looked = new FaultyFileSystem(files);
        try (XMemStore writer = builder(files).open();
                XMemStore reader = builder(looked).readOnly().open()) {
            for (int i = 1; i <= LINES; i++) {
                Entry entry = writer.recordFailure(Failure.of("git", "push b" + i % 3, "fatal: quota failed " + i));
                if (i % SEGMENT_LINES == 1) {
                    writer.verify();
                }
                assertThat(reader.find(entry.id())).isPresent();
                assertThat(reader.search(Query.all().limit(1)).total()).isEqualTo(i);
            }
            assertThat(looked.mapped.stream().filter(file -> file.toString().endsWith(".facts")))
                    .hasSizeGreaterThanOrEqualTo(5);
            assertThat(looked.mapped).anyMatch(file -> file.toString().endsWith(".merged"));
            for (Query query : new Query[] {
                Query.all(), Query.words("quota failed 7"), Query.literal("failed 19"), Query.regex("failed 1[0-9]1")
            }) {
                assertThat(reader.search(query).text())
                        .isEqualTo(writer.search(query).text());
            }
            assertThat(looked.mapped).anyMatch(file -> file.toString().endsWith(".text"));
            assertThat(looked.written).isEmpty();
        }
    }
}
