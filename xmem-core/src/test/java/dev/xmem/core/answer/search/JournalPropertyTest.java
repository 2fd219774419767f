package dev.xmem.core.answer.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;

/** Scans of random journals in all three modes, against reading the whole file. */
class JournalPropertyTest {
    private static final int LINE_BYTES = 400;
    private static final List<String> PIECES = List.of(
            "walrus", "marmot", "a", " ", "é", "日本", "👍", "/", ".", "x1", "café", "\t", "\"", "\\", "\n", "ab", "(");

    private final List<Path> folders = new ArrayList<>();

    @AfterProperty
    void deleteFolders() throws IOException {
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(PIECES).list().ofMaxSize(5).map(pieces -> String.join("", pieces));
    }

    /** A text as a JSON string, escaped in one of several ways. */
    private static String quoted(String text, int way) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            boolean must = c < ' ' || c == '"' || c == '\\';
            if (must || way == 1 && c > '~' || way == 2) {
                out.append(String.format("\\u%04x", (int) c));
            } else if (way == 3 && c == '/') {
                out.append("\\/");
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private Arbitrary<String> strings() {
        return Combinators.combine(texts(), Arbitraries.integers().between(0, 3))
                .as(JournalPropertyTest::quoted);
    }

    private Arbitrary<String> values() {
        Arbitrary<String> plain = Arbitraries.of("null", "7", "true", "[]", "{}");
        Arbitrary<String> list = strings().list().ofMaxSize(3).map(items -> "[" + String.join(", ", items) + "]");
        Arbitrary<String> nested = Combinators.combine(strings(), strings(), list)
                .as((key, value, items) -> "{" + key + ":" + value + ",\"deep\":[{\"er\":" + items + "},null,1.5]}");
        return Arbitraries.frequencyOf(
                Tuple.of(2, plain), Tuple.of(4, strings()), Tuple.of(2, list), Tuple.of(2, nested));
    }

    private Arbitrary<String> objects() {
        Arbitrary<String> names = Arbitraries.of("content", "content", "type", "tags", "meta", "ts", "id", "more");
        Arbitrary<String> member = Combinators.combine(names, values(), Arbitraries.of("", " "))
                .as((name, value, blank) -> blank + "\"" + name + "\":" + blank + value);
        return member.list()
                .ofMaxSize(5)
                .map(members -> members.stream()
                        .collect(Collectors.toMap(m -> m.strip().split(":", 2)[0], m -> m, (a, b) -> a))
                        .values())
                .map((Collection<String> members) -> "{" + String.join(",", members) + "}");
    }

    @Provide
    Arbitrary<String> journals() {
        Arbitrary<String> broken = Arbitraries.of(
                "",
                "",
                " ",
                "walrus",
                "{",
                "\"walrus\"",
                "{\"content\":\"walrus\"",
                "{\"content\":\"marmot\"} x",
                "[1]",
                "{\"content\":'a'}");
        Arbitrary<String> tooLong = Arbitraries.just("{\"content\":\"walrus " + "a".repeat(LINE_BYTES) + "\"}");
        Arbitrary<String> line =
                Arbitraries.frequencyOf(Tuple.of(12, objects()), Tuple.of(3, broken), Tuple.of(1, tooLong));
        Arbitrary<String> ended = Combinators.combine(line, Arbitraries.of("\n", "\n", "\n", "\r\n", " \n", "\n\n"))
                .as((text, end) -> text + end);
        Arbitrary<String> last = Arbitraries.of("", "", "{\"content\":\"walrus\"}", "{\"content\":\"wal", " ");
        return Combinators.combine(ended.list().ofMaxSize(40), last).as((lines, end) -> String.join("", lines) + end);
    }

    @Provide
    Arbitrary<String> needles() {
        Arbitrary<String> expressions = Arbitraries.of(
                "//",
                "/wal.us/",
                "/[é日]/",
                "/(/",
                "/^a/",
                "/b$|t/",
                "/\\d/",
                "/(?i)WALRUS/",
                "/a+/",
                "/\\//",
                "/👍/",
                "/",
                "");
        return Arbitraries.oneOf(texts(), Arbitraries.of(PIECES), expressions);
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void scan_anyJournal_isWhatReadingTheFileFinds(
            @ForAll("journals") String journal,
            @ForAll("needles") String q,
            @ForAll @IntRange(min = 1, max = 12) int limit,
            @ForAll @IntRange(min = 1, max = 50) int window)
            throws IOException {
        Path folder = Files.createTempDirectory("xmem-journal");
        folders.add(folder);
        Path file = folder.resolve("memory.jsonl");
        Files.writeString(file, journal);
        ScanResult expected = oracle(journal, q, limit, window);
        try (XMemStore store = XMem.builder(folder.resolve("store"))
                .log(Entry.Kind.NOTE, file)
                .limits(Limits.defaults().lineBytes(LINE_BYTES))
                .open()) {
            for (Scan.Mode mode : Scan.Mode.values()) {
                assertThat(store.scan(
                                Scan.of(q).limit(limit).windowLines(window).mode(mode)))
                        .as(mode.name())
                        .isEqualTo(expected);
            }
        }
        assertThat(Files.readString(file)).isEqualTo(journal);
    }

    /** The expected result: all matches of the file, newest first, cut by the window and the limit. */
    private static ScanResult oracle(String journal, String q, int limit, int window) {
        List<String> lines = new ArrayList<>(Arrays.asList(journal.split("\n", -1)));
        if (lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        Predicate<String> test = test(q);
        List<Integer> matching = new ArrayList<>();
        List<String> results = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(lines.size() - 1 - i);
            if (strings(line).anyMatch(test)) {
                matching.add(i);
                results.add(line.strip());
            }
        }
        int used = window;
        while (used < lines.size() && within(matching, used) < limit) {
            used *= 4;
        }
        int shown = Math.min(limit, within(matching, used));
        return new ScanResult(results.subList(0, shown), matching.size() > shown, used);
    }

    private static int within(List<Integer> matching, int window) {
        return (int) matching.stream().filter(place -> place < window).count();
    }

    private static Predicate<String> test(String q) {
        if (q.length() > 1 && q.startsWith("/") && q.endsWith("/")) {
            try {
                return Pattern.compile(q.substring(1, q.length() - 1)).asPredicate();
            } catch (PatternSyntaxException e) {
                return text -> text.contains(q); // what does not compile is a literal
            }
        }
        return text -> text.contains(q);
    }

    /** The strings of content, type, tags and meta, at any depth. */
    private static Stream<String> strings(String line) {
        if (line.getBytes(StandardCharsets.UTF_8).length > LINE_BYTES) {
            return Stream.empty();
        }
        Map<String, Object> object;
        try {
            object = Json.object(line);
        } catch (RuntimeException e) {
            return Stream.empty();
        }
        return Stream.of("content", "type", "tags", "meta").flatMap(name -> flat(object.get(name)));
    }

    private static Stream<String> flat(Object value) {
        if (value instanceof String text) {
            return Stream.of(text);
        } else if (value instanceof Map<?, ?> map) {
            return map.values().stream().flatMap(JournalPropertyTest::flat);
        } else if (value instanceof List<?> list) {
            return list.stream().flatMap(JournalPropertyTest::flat);
        }
        return Stream.empty();
    }
}
