package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Directive;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
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
import net.jqwik.api.lifecycle.AfterProperty;

/** Directives folded in any order, said twice, spread over two files: always the ranking that an obvious fold gives. */
class DirectiveFoldPropertyTest {
    private static final List<String> KINDS = List.of("preference", "rule", "constraint");
    private static final String REQUEST = "with maven and git.";
    private static final Set<String> NAMED = Set.of("maven", "git");

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

    /** What a line says. */
    private record Said(
            int minute, String scope, String kind, String matter, String object, int strength, List<String> tags) {
        String key() {
            return matter + "|" + object;
        }

        /** All lines of one directive have one id. */
        String id() {
            return "m-" + scope + "-" + key().replace('|', '-');
        }

        String json() {
            String quoted = tags.stream().map(tag -> "'" + tag + "'").collect(Collectors.joining(","));
            return MemoryLines.line(id(), strength, quoted, minute + " " + scope + " " + kind + " " + key());
        }

        int priority() {
            return KINDS.indexOf(kind);
        }
    }

    /** A directive as it is shown. */
    private record Shown(String id, int strength, Set<String> tags) {}

    /** A directive of the oracle: the lines of one key in one scope, the oldest first. */
    private record Whole(List<Said> lines) {
        Said last() {
            return lines.get(lines.size() - 1);
        }

        int strength() {
            return lines.get(0).strength + lines.size() - 1;
        }

        Set<String> tags() {
            return lines.stream()
                    .flatMap(line -> line.tags.stream())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        long named() {
            return tags().stream().filter(NAMED::contains).count();
        }

        Shown shown(boolean conflict) {
            Set<String> all = tags();
            if (conflict) {
                all.add("conflict");
            }
            return new Shown(last().id(), strength(), all);
        }
    }

    @Provide
    Arbitrary<List<Said>> said() {
        Arbitrary<String> matters = Arbitraries.of("build|tool", "test|tool", "push|is");
        Arbitrary<List<String>> tags =
                Arbitraries.of("maven", "git", "ci").list().uniqueElements().ofMaxSize(2);
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.of("local", "local", "global"),
                        Arbitraries.of(KINDS),
                        matters,
                        Arbitraries.of("a", "b", "c"),
                        Arbitraries.integers().between(1, 12),
                        tags)
                .as(Said::new)
                .list()
                .ofMaxSize(14);
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void ranking_anyOrderAndAnySplit_isThatOfTheOracle(@ForAll("said") List<Said> said, @ForAll long seed)
            throws IOException {
        List<Shown> expected = oracle(said);
        Random random = new Random(seed);
        assertThat(stored(said.stream().map(Said::json).toList(), List.of())).isEqualTo(expected);

        List<String> local = new ArrayList<>();
        List<String> global = new ArrayList<>();
        for (Said line : said) {
            int copies = 1 + random.nextInt(2);
            for (int i = 0; i < copies; i++) {
                (random.nextBoolean() ? local : global).add(line.json());
            }
        }
        Collections.shuffle(local, random);
        Collections.shuffle(global, random);
        assertThat(stored(local, global)).isEqualTo(expected);
    }

    @Property(tries = 30, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void ranking_linesArriveOneByOne_isThatOfAllAtOnce(@ForAll("said") List<Said> said, @ForAll long seed)
            throws IOException {
        List<String> lines = new ArrayList<>(said.stream().map(Said::json).toList());
        Collections.shuffle(lines, new Random(seed));
        Path folder = folder();
        Path file = folder.resolve("data/memories.ndjson");
        try (XMemStore store = store(folder)) {
            for (String line : lines) {
                MemoryLines.append(file, List.of(line));
                shown(store);
            }
            assertThat(shown(store)).isEqualTo(oracle(said));
        }
    }

    private Path folder() throws IOException {
        Path folder = Files.createTempDirectory("xmem-fold");
        folders.add(folder);
        return folder;
    }

    private static XMemStore store(Path folder) {
        return XMem.builder(folder)
                .globalDirectives(folder.resolve("global.ndjson"))
                .clock(InstantSource.fixed(START.plus(Duration.ofDays(1))))
                .open();
    }

    private List<Shown> stored(List<String> local, List<String> global) throws IOException {
        Path folder = folder();
        MemoryLines.append(folder.resolve("data/memories.ndjson"), local);
        MemoryLines.append(folder.resolve("global.ndjson"), global);
        try (XMemStore store = store(folder)) {
            return shown(store);
        }
    }

    private static List<Shown> shown(XMemStore store) {
        return MemoryLines.ranked(store, REQUEST).stream()
                .map(directive ->
                        new Shown(directive.id(), directive.strength(), new LinkedHashSet<>(directive.tags())))
                .toList();
    }

    /** The rules, told again in the plainest way. */
    private static List<Shown> oracle(List<Said> said) {
        Map<String, List<Whole>> matters = new TreeMap<>();
        for (List<Said> lines : bySame(said)) {
            matters.computeIfAbsent(lines.get(0).matter, m -> new ArrayList<>()).add(new Whole(lines));
        }
        Map<Whole, Shown> shown = new LinkedHashMap<>();
        for (List<Whole> matter : matters.values()) {
            List<Whole> left = holding(matter);
            boolean conflict =
                    left.stream().map(w -> w.last().object).distinct().count() > 1;
            left.forEach(whole -> shown.put(whole, whole.shown(conflict)));
        }
        return shown.keySet().stream()
                .sorted(Comparator.comparingLong(Whole::named)
                        .thenComparingInt(whole -> whole.last().priority())
                        .thenComparingInt(Whole::strength)
                        .thenComparingInt(whole -> whole.last().minute)
                        .reversed()
                        .thenComparing(whole -> whole.last().key()))
                .map(shown::get)
                .toList();
    }

    /** Distinct lines of one scope and key together, by time, then strength, then text. */
    private static Collection<List<Said>> bySame(List<Said> said) {
        return said.stream()
                .distinct()
                .sorted(Comparator.comparingInt(Said::minute)
                        .thenComparingInt(Said::strength)
                        .thenComparing(Said::json))
                .collect(Collectors.groupingBy(line -> line.scope + line.key(), TreeMap::new, Collectors.toList()))
                .values();
    }

    private static List<Whole> holding(List<Whole> matter) {
        List<Whole> local =
                matter.stream().filter(w -> w.last().scope.equals("local")).toList();
        List<Whole> nearest = local.isEmpty() ? matter : local;
        if (nearest.size() < 2) {
            return nearest;
        }
        List<Whole> constraints =
                nearest.stream().filter(w -> w.last().kind.equals("constraint")).toList();
        int newest = nearest.stream().mapToInt(w -> w.last().minute).max().orElse(0);
        return constraints.isEmpty()
                ? nearest.stream().filter(w -> w.last().minute == newest).toList()
                : constraints;
    }

    /** The sentences of the directives that hold, as a user of the store would say them again, change nothing else. */
    @Property(tries = 20, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void remember_oneOfThem_addsOneToItsStrengthAlone(@ForAll("said") List<Said> said) throws IOException {
        Path folder = folder();
        MemoryLines.append(
                folder.resolve("data/memories.ndjson"),
                said.stream().map(Said::json).toList());
        try (XMemStore store = store(folder)) {
            for (Directive before : MemoryLines.ranked(store, "")) {
                Directive.Draft draft = Directive.constraint(before.triple());
                Directive after = store.remember(before.scope() == Directive.Scope.GLOBAL ? draft.global() : draft);
                assertThat(after.id()).isEqualTo(before.id());
                assertThat(after.strength()).isEqualTo(before.strength() + 1);
                assertThat(after.canonical()).isEqualTo(before.canonical());
            }
        }
    }
}
