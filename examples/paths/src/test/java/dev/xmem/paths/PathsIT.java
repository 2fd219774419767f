package dev.xmem.paths;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the built jars in separate JVMs, on the class path and on the module path. */
class PathsIT {
    private static final Path TARGET = Path.of("target");
    private static final long MOST_BYTES = 3_840_000;

    @TempDir
    Path folder;

    private static List<Path> jars(String name) throws IOException {
        try (Stream<Path> files = Files.list(TARGET.resolve(name))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static Path own() throws IOException {
        try (Stream<Path> files = Files.list(TARGET)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("xmem-example-paths-[^-]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The run-time jars plus those of a host; a host jar of the same name replaces the run-time jar. */
    private static String path(String host) throws IOException {
        List<Path> path = new ArrayList<>(List.of(own()));
        List<Path> brought = host.equals("none") ? List.of() : jars(host);
        boolean replaced = host.equals("old-jackson");
        for (Path jar : jars("run-time")) {
            if (!(replaced && jar.getFileName().toString().startsWith("jackson-core"))) {
                path.add(jar);
            }
        }
        path.addAll(brought);
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> run(List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(options);
        command.addAll(List.of(arguments));
        command.add(folder.resolve("store").toString());
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        return Files.readAllLines(out);
    }

    @ParameterizedTest
    @CsvSource({"none", "old-jackson", "langchain4j", "spring"})
    void classPath_withHostJackson_works(String host) throws Exception {
        assertThat(run(List.of("-cp", path(host)), "dev.xmem.paths.PathsDemo"))
                .containsExactly("recalled: true", "found: 1", "clean: true", "engine: class path", "modules: []");
    }

    @ParameterizedTest
    @CsvSource({"none", "old-jackson", "langchain4j", "spring"})
    void modulePath_withHostJackson_works(String host) throws Exception {
        List<String> output = run(
                List.of("-p", path(host), "--add-modules", "ALL-MODULE-PATH"),
                "-m",
                "dev.xmem.paths/dev.xmem.paths.PathsDemo");

        assertThat(output)
                .startsWith("recalled: true", "found: 1", "clean: true", "engine: dev.xmem.core")
                .last()
                .asString()
                .contains("com.fasterxml.jackson.core", "com.github.benmanes.caffeine", "dev.xmem, dev.xmem.core");
        assertThat(output.get(output.size() - 1).contains("tools.jackson.core")).isEqualTo(host.equals("spring"));
    }

    /** The jars and their total size, as stated in the README. */
    @Test
    void runTime_jars_areSixAndSmall() throws Exception {
        List<Path> jars = jars("run-time");
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }

        assertThat(jars.stream().map(jar -> jar.getFileName().toString().replaceAll("-\\d.*", "")))
                .containsExactlyInAnyOrder(
                        "xmem-api", "xmem-core", "jackson-core", "caffeine", "jspecify", "error_prone_annotations");
        assertThat(bytes).isBetween(MOST_BYTES - 1_000_000, MOST_BYTES);
        assertThat(Files.readString(Path.of("..", "..", "README.md")).replaceAll("\\s+", " "))
                .contains("six jars, about 3.8 MB together");
    }
}
