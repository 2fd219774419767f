package dev.xmem.benchmarks.repeat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A folder in which shell commands run with a fixed environment and without network. */
final class Sandbox {
    private static final int SECONDS = 60;
    private static final int SHOWN_CHARS = 600;

    private final Path folder;
    private final Path home;

    Sandbox(Path folder, Path home) {
        this.folder = folder;
        this.home = home;
    }

    /**
     * The result of a command.
     *
     * @param code the exit code of the command itself
     * @param output what the agent sees of its output
     * @param reported the exit code that the agent and its memory see; 0 if the agent's way to call it hides the code
     */
    record Result(int code, String output, int reported) {
        boolean worked() {
            return code == 0;
        }

        /** Returns the part of the output that the agent sees. */
        String shown() {
            return output.length() <= SHOWN_CHARS ? output : output.substring(0, SHOWN_CHARS) + "…";
        }
    }

    static boolean has(String tool) {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .filter(place -> !place.isEmpty())
                .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
    }

    /** Runs commands that must succeed, to set up a task. */
    Sandbox prepare(String... lines) throws IOException, InterruptedException {
        for (String line : lines) {
            Result result = shell(line);
            if (!result.worked()) {
                throw new IllegalStateException("cannot prepare a task: " + line + "\n" + result.output);
            }
        }
        return this;
    }

    Result shell(String line) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-c", line))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        environment.clear();
        environment.putAll(Map.of(
                "PATH", path,
                "HOME", home.toString(),
                "LC_ALL", "C.UTF-8",
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_TERMINAL_PROMPT", "0",
                "GIT_CEILING_DIRECTORIES", folder.getParent().toString(),
                "GIT_AUTHOR_DATE", "2026-02-14T12:00:00Z",
                "GIT_COMMITTER_DATE", "2026-02-14T12:00:00Z",
                "PYTHONDONTWRITEBYTECODE", "1"));
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        Files.delete(output);
        String shown = text.replace(folder.toString(), "/work");
        return new Result(process.exitValue(), shown, process.exitValue());
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
