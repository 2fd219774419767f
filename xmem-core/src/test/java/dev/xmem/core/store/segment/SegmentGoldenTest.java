package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The segments of this version, as they were written once, are read and not written again; older ones are replaced. For
 * a new version: delete the folder and run the test.
 */
class SegmentGoldenTest {
    private static final Path GOLDEN = Path.of("src/test/resources/dev/xmem/core/golden/segments-5");
    private static final int SEGMENT_LINES = 16;

    @TempDir
    Path folder;

    @BeforeEach
    void nameTheHasher() throws IOException {
        Files.createDirectories(folder.resolve(".xmem"));
        Files.writeString(folder.resolve(".xmem/hashers"), XMem.hasher().id() + '\n');
    }

    private XMemStore open() {
        return TestStores.builder(folder, SEGMENT_LINES)
                .clock(() -> Instant.parse("2026-02-14T16:30:00Z"))
                .random(new Random(1))
                .open();
    }

    private static Map<String, byte[]> files(Path folder) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (String sub : List.of("data", ".xmem/index")) {
            try (Stream<Path> found = Files.list(folder.resolve(sub))) {
                for (Path file : found.filter(f -> !f.endsWith("index.json")).toList()) {
                    files.put(sub + "/" + file.getFileName(), Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Map.Entry<String, byte[]> file : files(from).entrySet()) {
            Path target = to.resolve(file.getKey());
            Files.createDirectories(target.getParent());
            Files.write(target, file.getValue());
        }
    }

    /** Writes segments of the data that those of the version before are of. */
    private void make() throws IOException {
        copy(GOLDEN.resolveSibling("segments-4"), folder);
        try (XMemStore store = open()) {
            store.verify();
        }
        try (XMemStore store = open()) {
            store.verify();
        }
        copy(folder, GOLDEN);
    }

    @Test
    void segments_ofThisVersion_areReadAndKept() throws IOException {
        if (!Files.exists(GOLDEN)) {
            make();
        }
        copy(GOLDEN, folder);
        try (XMemStore store = open()) {
            assertThat(store.search(Query.words("quota")).total()).isEqualTo(SEGMENT_LINES + 4);
            assertThat(store.search(Query.literal("Zürich failed 3")).total()).isEqualTo(1);
            assertThat(store.search(Query.all().tag("t3")).total()).isEqualTo(5);
        }
        assertThat(files(folder)).usingRecursiveComparison().isEqualTo(files(GOLDEN));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void segments_ofAnOlderVersion_areWrittenAgain(int version) throws IOException {
        copy(GOLDEN.resolveSibling("segments-" + version), folder);
        try (XMemStore store = open()) {
            assertThat(store.search(Query.words("quota")).total()).isEqualTo(SEGMENT_LINES + 4);
            assertThat(store.verify().findings()).isEmpty();
        }
        try (XMemStore store = open()) {
            store.verify();
        }
        Map<String, byte[]> made = files(folder);
        assertThat(made).containsOnlyKeys(files(GOLDEN).keySet());
        made.forEach((name, bytes) -> {
            ByteBuffer segment = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            if (name.startsWith(".xmem")) {
                assertThat(segment.getInt(bytes.length - 12)).as(name).isEqualTo(5);
            }
        });
    }
}
