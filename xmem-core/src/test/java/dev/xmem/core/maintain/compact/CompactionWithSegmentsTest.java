package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.search.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Compactions and erasures of one store twice: with the segments it has, and without any. */
class CompactionWithSegmentsTest {
    private static final String PEER = "peers/" + "0123456789abcdef".repeat(2) + "/failures.jsonl";

    @Property(tries = 4)
    void filesOfAnyStore_areThoseOfAStoreWithoutSegments(@ForAll long seed) throws IOException {
        assertSame(seed);
    }

    @Tag("soak")
    @Property(tries = 300)
    void filesOfManyStores_areThoseOfAStoreWithoutSegments(@ForAll long seed) throws IOException {
        assertSame(seed);
    }

    private static void assertSame(long seed) throws IOException {
        Path one = Files.createTempDirectory("xmem-with");
        Path two = Files.createTempDirectory("xmem-without");
        try {
            prepare(one, new SplittableRandom(seed));
            copyWithoutSegments(one, two);
            List<String> first = maintain(one, new SplittableRandom(seed + 1));
            assertThat(maintain(two, new SplittableRandom(seed + 1))).isEqualTo(first);
            Map<String, String> files = logs(one);
            Map<String, String> others = logs(two);
            assertThat(others.keySet()).isEqualTo(files.keySet());
            files.forEach((name, text) -> assertThat(others.get(name)).as(name).isEqualTo(text));
        } finally {
            CompactionFromColumnsTest.delete(one);
            CompactionFromColumnsTest.delete(two);
        }
    }

    private static void prepare(Path directory, SplittableRandom random) throws IOException {
        try (XMemStore store = CompactionFromColumnsTest.used(directory, random)) {
            Files.createDirectories(directory.resolve("data").resolve(PEER).getParent());
            Stores.appendRaw(directory, PEER, CompactionFromColumnsTest.log(random, 12));
            for (String id : some(store, random, 6)) {
                Stores.appendRaw(directory, "successes.jsonl", success(id, random));
            }
            if (random.nextBoolean()) {
                store.purge(some(store, random, 2));
            }
            CompactionFromColumnsTest.seal(store);
        }
    }

    private static String success(String answered, SplittableRandom random) {
        return ("{\"id\":\"2026-02-12-%03d\",\"ts\":\"2026-02-12T10:00:00Z\",\"type\":\"tool_success\",\"tool\":\"git\","
                        + "\"pattern_name\":\"p\",\"ctx_hash\":\"y\",\"answers\":[\"%s\"]}\n")
                .formatted(1 + random.nextInt(3), answered);
    }

    private static Set<String> some(XMemStore store, SplittableRandom random, int count) {
        List<String> ids = entries(store).stream()
                .map(entry -> entry.substring(0, entry.indexOf(' ')))
                .filter(id -> !id.contains("@"))
                .sorted()
                .toList();
        Set<String> some = new HashSet<>();
        for (int i = 0; i < count && !ids.isEmpty(); i++) {
            some.add(ids.get(random.nextInt(ids.size())));
        }
        return some;
    }

    private static List<String> entries(XMemStore store) {
        Query all = Query.all().limit(400).tokenBudget(10_000_000).layout(Query.Layout.DATA);
        return store.search(all).matches().stream()
                .map(match -> match.entry().id() + " " + match.entry().json())
                .toList();
    }

    /** Compacts beside another store that appends, erases some, and returns what the stores then say. */
    private static List<String> maintain(Path directory, SplittableRandom random) throws IOException {
        Retention retention = random.nextBoolean()
                ? Retention.defaults()
                : Retention.defaults().pruneAfter(Duration.ofDays(40));
        try (XMemStore store = CompactionFromColumnsTest.open(directory);
                XMemStore other = CompactionFromColumnsTest.open(directory)) {
            int[] number = {500};
            store.compact(store.planCompaction(retention), progress -> {
                for (int i = random.nextInt(12); i > 0; i--) {
                    String line = CompactionFromColumnsTest.line(random, number[0]++);
                    Stores.appendRaw(directory, "failures.jsonl", "\n" + line + "\n");
                }
                other.stats();
                return true;
            });
            List<String> compacted = entries(store);
            assertThat(entries(other)).isEqualTo(compacted);
            Set<String> erased = some(store, random, 3);
            store.purge(erased, true);
            List<String> left = entries(other);
            assertThat(left).noneMatch(entry -> erased.contains(entry.substring(0, entry.indexOf(' '))));
            assertThat(entries(store)).isEqualTo(left);
            left = Stream.concat(compacted.stream(), left.stream()).toList();
            return Stream.concat(
                            left.stream(), store.verify().findings().stream().map(String::valueOf))
                    .toList();
        }
    }

    private static void copyWithoutSegments(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path name = from.relativize(file);
            if (!name.startsWith(".xmem/index")) {
                Files.createDirectories(to.resolve(name).getParent());
                Files.copy(file, to.resolve(name));
            }
        }
    }

    private static Map<String, String> logs(Path directory) throws IOException {
        Map<String, String> logs = new TreeMap<>();
        for (Path file : files(directory)) {
            if (file.toString().endsWith(".jsonl")) {
                logs.put(directory.relativize(file).toString(), Files.readString(file));
            }
        }
        return logs;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
