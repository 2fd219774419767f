package dev.xmem.core.maintain.compact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Amendment;
import dev.xmem.Durability;
import dev.xmem.Entry;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.Resources;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.answer.search.Stores;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.SectionFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A compaction that uses the columns of the index, beside one that reads every line. */
class CompactionFromColumnsTest {
    private static final int SEGMENT_LINES = 8;
    private static final String LOG = "failures.jsonl";

    @TempDir
    Path folder;

    /** Nothing in the background: it would notice an edit sooner or later. */
    private static final Resources RESOURCES = Resources.of(
            task -> {
                throw new RejectedExecutionException();
            },
            1 << 20);

    static XMemStore open(Path directory) {
        return TestStores.builder(directory, SEGMENT_LINES)
                .resources(RESOURCES)
                .clock(InstantSource.fixed(Stores.NOW))
                .durability(Durability.OS)
                .open();
    }

    /** A log as several programs write it. */
    static String log(SplittableRandom random, int lines) {
        StringBuilder log = new StringBuilder(random.nextInt(6) == 0 ? "\uFEFF" : "");
        List<String> before = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            int kind = random.nextInt(30);
            String line = kind == 0 && !before.isEmpty()
                    ? before.get(random.nextInt(before.size()))
                    : kind == 1 ? "{\"id\":\"torn" : kind == 2 ? " \t" : (kind == 3 ? "\uFEFF" : "") + line(random, i);
            before.add(line);
            log.append(line).append(random.nextInt(12) == 0 ? "\r\n" : random.nextInt(20) == 0 ? " \n\n" : "\n");
        }
        return log.append(random.nextInt(5) == 0 ? "{\"id\":\"2026-02-01-777\",\"ts\"" : "")
                .toString();
    }

    static String line(SplittableRandom random, int i) {
        Instant ts = Stores.NOW.minus(Duration.ofHours(1 + random.nextInt(random.nextBoolean() ? 200 : 4_000)));
        int family = random.nextInt(6);
        String[] tools = {"git", "Git", "näh", "kühl", "İkubectl", "ł-tool"};
        String space = random.nextInt(4) == 0 ? " " : "";
        StringBuilder json = new StringBuilder("{" + space);
        if (random.nextInt(25) > 0) {
            json.append("\"id\":\"%s-%03d\","
                            .formatted(ts.toString().substring(0, 10), 1 + i / (1 + random.nextInt(3) / 2)))
                    .append(space);
        }
        json.append("\"ts\":\"")
                .append(ts)
                .append("\",\"type\":\"tool_failure\",\"tool\":\"")
                .append(tools[random.nextInt(40) > 0 ? family : random.nextInt(6)])
                .append("\",")
                .append(random.nextInt(9) == 0 ? "" : "\"action\":\"do " + family % 2 + "\",")
                .append("\"error\":\"cannot find thing ")
                .append(family)
                .append(" 😀\",");
        if (random.nextInt(10) > 0) {
            json.append("\"ctx_hash\":\"x-")
                    .append(family == 5 ? "ż" : "")
                    .append(family)
                    .append("\",");
        }
        json.append(random.nextInt(3) == 0 ? "\"notes\":\"note " + i + "\"," : "")
                .append(random.nextInt(4) == 0 ? "\"session_id\":\"s" + random.nextInt(3) + "\"," : "")
                .append(random.nextInt(40) == 0 ? "\"session_id\":" + random.nextInt(3) + "," : "")
                .append(random.nextInt(9) == 0 ? "\"sessions\":[\"s" + random.nextInt(5) + "\",\"\\ud800\"]," : "")
                .append(random.nextInt(12) == 0 ? "\"dedupe_key\":\"k" + random.nextInt(2) + "\"," : "")
                .append(random.nextInt(12) == 0 ? "\"occurrences\":3,\"covers\":[\"2026-01-01-00" + i % 9 + "\"]," : "")
                .append(random.nextInt(60) == 0 ? "\"covers\":[1]," : "")
                .append(random.nextInt(9) == 0 ? "\"exit_code\":" + random.nextInt(2) + "," : "")
                .append(random.nextInt(12) == 0 ? "\"x\":{\"n\":" + random.nextInt(2) + "}," : "");
        String[] tags = {"a", "A", "b", "Wort", "private"};
        return json.append("\"tags\":[\"")
                .append(tags[random.nextInt(random.nextInt(9) == 0 ? 5 : 4)])
                .append("\",\"")
                .append(tags[random.nextInt(4)])
                .append("\"]}")
                .toString();
    }

    private static void write(Path directory, SplittableRandom random) throws IOException {
        Path data = Files.createDirectories(directory.resolve("data"));
        Files.writeString(data.resolve(LOG), log(random, 20 + random.nextInt(60)));
        if (random.nextBoolean()) {
            Path index = Files.createDirectories(directory.resolve(".xmem"));
            Files.writeString(index.resolve("hashers"), XMem.hasher().id() + "\n");
        }
    }

    /** What users do with the entries of a store. */
    private static void use(XMemStore store, SplittableRandom random) {
        List<Entry> entries = store.search(Query.all().limit(200).tokenBudget(1_000_000)).matches().stream()
                .map(match -> match.entry())
                .toList();
        for (int i = 0; i < 6 && !entries.isEmpty(); i++) {
            Entry entry = entries.get(random.nextInt(entries.size()));
            switch (random.nextInt(5)) {
                case 0 -> store.reportOutcome(entry.id(), Outcome.values()[0], "session " + i);
                case 1 -> store.amend(entry.id(), Amendment.dismiss("wrong"));
                case 2 -> store.amend(entry.id(), Amendment.retag(Set.of("new"), Set.of("a")));
                case 3 -> store.amend(entry.id(), Amendment.pin());
                default -> {
                    Entry other = entries.get(random.nextInt(entries.size()));
                    if (other.id().compareTo(entry.id()) > 0) { // a store refuses a circle of entries
                        store.amend(entry.id(), Amendment.supersededBy(other.id()));
                    }
                }
            }
        }
    }

    /** Leaves segments that are sealed, merged, or only in memory, and a log that grew since. */
    static XMemStore used(Path directory, SplittableRandom random) throws IOException {
        write(directory, random);
        XMemStore store = open(directory);
        use(store, random);
        if (random.nextInt(4) > 0) {
            store.verify();
            store.close();
            store = open(directory);
        }
        if (random.nextBoolean()) {
            Stores.appendRaw(directory, LOG, "\n" + log(random, random.nextInt(20)));
            use(store, random);
        }
        return store;
    }

    @Property(tries = 4)
    void carriedIndex_ofAnyStore_isThatOfTheRebuiltOne(@ForAll long seed) throws IOException {
        assertCarried(seed);
    }

    @Tag("soak")
    @Property(tries = 150)
    void carriedIndex_ofManyStores_isThatOfTheRebuiltOne(@ForAll long seed) throws IOException {
        assertCarried(seed);
    }

    private static void assertCarried(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path directory = Files.createTempDirectory("xmem-carried");
        Path other = Files.createTempDirectory("xmem-rebuilt");
        List<String> messages = new ArrayList<>();
        try {
            try (XMemStore store = used(directory, random)) {
                Retention retention = random.nextInt(3) == 0
                        ? Retention.defaults().pruneAfter(Duration.ofDays(40))
                        : Retention.defaults();
                logged(messages, () -> store.compact(store.planCompaction(retention)));
                seal(store);
            }
            assertThat(messages).noneMatch(message -> message.contains("was not carried over"));
            assertRebuiltAlike(directory, other);
        } finally {
            delete(directory);
            delete(other);
        }
    }

    private static void assertRebuiltAlike(Path directory, Path other) throws IOException {
        copy(directory, other);
        for (Path each : List.of(directory, other, other)) {
            try (XMemStore store = open(each)) {
                seal(store);
            }
        }
        Map<String, String> carried = segments(directory);
        Map<String, String> rebuilt = segments(other);
        assertThat(carried.keySet()).isEqualTo(rebuilt.keySet());
        assertThat(carried)
                .allSatisfy((section, bytes) -> assertThat(bytes).as(section).isEqualTo(rebuilt.get(section)));
    }

    /** At the beginning of a file a byte order mark is no part of the line, elsewhere it is. */
    @Test
    void compact_ofALineWithAByteOrderMarkThatBecomesTheFirst_keepsTheEntry() throws IOException {
        Path directory = folder.resolve("store");
        Path log = directory.resolve("data").resolve(LOG);
        Files.createDirectories(log.getParent());
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String line =
                    "{\"ts\":\"2026-02-13T10:00:%02dZ\",\"type\":\"tool_failure\",\"tool\":\"git\"}\n".formatted(i);
            lines.append(i > 0 ? line : "\uFEFF" + line + line);
        }
        Files.writeString(log, "{\"torn\n" + lines);
        List<String> messages = new ArrayList<>();
        try (XMemStore store = open(directory)) {
            seal(store);
            logged(messages, () -> store.compact(store.planCompaction(Retention.defaults())));
            assertThat(messages).noneMatch(message -> message.contains("was not carried over"));
            assertThat(TestStores.registry(store).whole().logs().get(0).count()).isEqualTo(41);
            seal(store);
        }
        assertRebuiltAlike(directory, folder.resolve("rebuilt"));
        assertThat(Files.readString(log)).startsWith("\n\uFEFF{").hasSize(lines.length() + 1);
    }

    @Property(tries = 8)
    void plan_ofAnyLog_isThatOfAScan(@ForAll long seed) throws IOException {
        assertPlanned(seed);
    }

    @Tag("soak")
    @Property(tries = 250)
    void plan_ofManyLogs_isThatOfAScan(@ForAll long seed) throws IOException {
        assertPlanned(seed);
    }

    private static void assertPlanned(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path directory = Files.createTempDirectory("xmem-plan");
        try (XMemStore store = used(directory, random)) {
            LogRegistry registry = TestStores.registry(store);
            for (LogSnapshot view : registry.whole().logs()) {
                LogIndex log = view.index();
                IntFunction<@Nullable LineChange> changes = ordinal -> ordinal % 3 > 0 ? null : change(log, ordinal);
                LogPlan.Decision decision = line -> line.ordinal() >= 0
                        ? changes.apply(line.ordinal())
                        : line.ended() ? line.leaves(LineChange.Why.REPEATED, "again") : null;
                LogPlan indexed =
                        LogPlan.ofIndexed(log, registry.extent(log), new UncachedLines(log), changes, decision);
                assertThat(lines(indexed)).isEqualTo(lines(LogPlan.of(log, decision)));
                assertThat(indexed.count()).isEqualTo(log.count());
            }
        } finally {
            delete(directory);
        }
    }

    private static LineChange change(LogIndex log, int ordinal) {
        long offset = log.lines().offset(ordinal);
        int length = log.lines().length(ordinal);
        return new LineChange(offset, length, ordinal, LineChange.Why.STALE, null, () -> "old");
    }

    private static List<String> lines(LogPlan plan) {
        return plan.changes().stream()
                .map(change -> change.offset() + " " + change.length() + " " + change.ordinal() + " " + change.why())
                .toList();
    }

    @Test
    void compact_ofALogThatWasEditedSinceItWasSealed_keepsTheEdit() throws IOException {
        Path directory = folder.resolve("store");
        Path log = directory.resolve("data").resolve(LOG);
        Files.createDirectories(log.getParent());
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String ts = "2026-02-13T10:00:%02dZ".formatted(i);
            lines.append(("{\"id\":\"2026-02-13-%03d\",\"ts\":\"%s\",\"type\":\"tool_failure\",\"tool\":\"git\","
                            + "\"error\":\"no %02d\",\"ctx_hash\":\"x-%d\"}\n")
                    .formatted(i + 1, ts, i, i < 30 ? i / 2 : i));
        }
        Files.writeString(log, lines);
        try (XMemStore store = open(directory)) {
            store.verify();
        }
        try (XMemStore store = open(directory)) {
            store.search(Query.all().limit(1));
            Files.writeString(log, lines.toString().replace("no 35", "NO 35"));
            List<String> messages = new ArrayList<>();
            logged(messages, () -> store.compact(store.planCompaction(Retention.defaults())));
            assertThat(messages).anyMatch(message -> message.contains("was not carried over"));
        }
        assertThat(Files.readString(log)).contains("NO 35").doesNotContain("no 35");
        try (XMemStore store = open(directory)) {
            assertThat(store.verify().findings()).isEmpty();
            assertThat(store.search(Query.all().limit(100)).matches()).hasSize(25);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Collects what this thread logs; by reflection, because the module does not read that of the loggers. */
    private static void logged(List<String> messages, Work work) throws IOException {
        Thread thread = Thread.currentThread();
        try {
            Class<?> type = Class.forName("java.util.logging.Logger");
            Class<?> filterType = Class.forName("java.util.logging.Filter");
            Class<?> levelType = Class.forName("java.util.logging.Level");
            Object logger = type.getMethod("getLogger", String.class).invoke(null, "dev.xmem");
            Object filter = Proxy.newProxyInstance(
                    CompactionFromColumnsTest.class.getClassLoader(),
                    new Class<?>[] {filterType},
                    (of, method, args) -> {
                        if (Thread.currentThread().equals(thread)) {
                            Class<?> entry = Class.forName("java.util.logging.LogRecord");
                            messages.add(entry.getMethod("getMessage").invoke(args[0]) + ": "
                                    + entry.getMethod("getThrown").invoke(args[0]));
                        }
                        return false;
                    });
            type.getMethod("setLevel", levelType)
                    .invoke(logger, levelType.getField("FINE").get(null));
            type.getMethod("setFilter", filterType).invoke(logger, filter);
            try {
                work.run();
            } finally {
                type.getMethod("setFilter", filterType).invoke(logger, (Object) null);
                type.getMethod("setLevel", levelType).invoke(logger, (Object) null);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static void seal(XMemStore store) throws IOException {
        LogRegistry registry = TestStores.registry(store);
        registry.whole();
        boolean some = true;
        while (some) {
            some = registry.sealOne();
        }
    }

    /** The sections of all segment files but the headers, which have the identity of the log. */
    private static Map<String, String> segments(Path directory) throws IOException {
        Map<String, String> segments = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory.resolve(".xmem/index"))) {
            for (Path file : files.filter(file -> file.toString().matches(".*\\.(facts|text|merged)"))
                    .toList()) {
                SectionFile sections = SectionFile.of(ByteBuffer.wrap(Files.readAllBytes(file)));
                for (int id = 1; id < 64; id++) {
                    String name = file.getFileName() + " " + id;
                    try {
                        ByteBuffer section = sections.section(id);
                        byte[] bytes = new byte[section.remaining()];
                        section.get(bytes);
                        segments.put(name, HexFormat.of().formatHex(bytes));
                    } catch (CorruptSegmentException e) {
                        continue; // there is no such section
                    }
                }
            }
        }
        return segments;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path name = from.relativize(file);
                if (name.startsWith("data") || name.endsWith("hashers")) {
                    Files.createDirectories(to.resolve(name).getParent());
                    Files.copy(file, to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
