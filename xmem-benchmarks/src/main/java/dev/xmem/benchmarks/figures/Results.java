package dev.xmem.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All measurements of one machine. If two files measure the same thing, the file with the later name wins. Immutable.
 */
record Results(List<Measurement> all) {
    static Results read(Path folder) throws IOException {
        List<Measurement> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                if (JsonTree.read(file) instanceof List<?> results) {
                    results.forEach(result -> all.add(Measurement.of((Map<?, ?>) result)));
                }
            }
        }
        return new Results(all);
    }

    Set<String> operations() {
        return names(all.stream().map(Measurement::operation));
    }

    /** Returns xmem first, then the other engines in the order of measurement. */
    Set<String> engines(String operation) {
        return names(all.stream()
                .filter(m -> m.operation().equals(operation))
                .map(Measurement::engine)
                .sorted(Comparator.comparing(engine -> !engine.equals("xmem"))));
    }

    private static Set<String> names(Stream<String> names) {
        return names.collect(LinkedHashSet::new, Set::add, Set::addAll);
    }

    /** Returns the store sizes in ascending order. */
    Set<Integer> sizes(String operation) {
        Set<Integer> sizes = new TreeSet<>();
        all.stream().filter(m -> m.operation().equals(operation)).forEach(m -> sizes.add(m.entries()));
        return sizes;
    }

    int largest(String operation) {
        return sizes(operation).stream().mapToInt(size -> size).max().orElse(0);
    }

    Optional<Measurement> get(String operation, String engine, int entries) {
        return all.stream()
                .filter(m -> m.operation().equals(operation))
                .filter(m -> m.engine().equals(engine) && m.entries() == entries)
                .reduce((first, later) -> later);
    }

    /** Returns the startup measurement of an engine that runs programs; empty for other engines. */
    Optional<Measurement> startup(String engine) {
        return get(Measurement.START, engine, 0);
    }
}
