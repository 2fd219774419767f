package dev.xmem.quickstart;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs installed tools in their own directory, without network access. */
final class CommandRunner {
    private static final int SECONDS = 30;

    private final Path folder;

    CommandRunner(Path folder) {
        this.folder = folder;
    }

    /** The exit code and the output of a command. */
    record Result(int exitCode, String output) {}

    /** Locates a tool: in the JDK that runs this program, then on the PATH. */
    static Optional<String> find(String tool) {
        Stream<String> jdk =
                Stream.of(Path.of(System.getProperty("java.home"), "bin").toString());
        Stream<String> path =
                Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator));
        return Stream.concat(jdk, path)
                .filter(place -> !place.isEmpty())
                .map(place -> Path.of(place, tool))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .map(Path::toString)
                .findFirst();
    }

    /** Runs a command to its end; the first word is the tool. */
    Result run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder.getParent(), "output", ".txt");
        Process process = builder(command).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return new Result(process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
    }

    private ProcessBuilder builder(List<String> command) {
        List<String> argv = new ArrayList<>(command);
        argv.set(0, find(command.get(0)).orElse(command.get(0)));
        ProcessBuilder builder =
                new ProcessBuilder(argv).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("GIT_CEILING_DIRECTORIES", folder.getParent().toString());
        builder.environment()
                .put("npm_config_cache", folder.resolveSibling("npm").toString());
        builder.environment().put("npm_config_offline", "true");
        builder.environment().put("npm_config_update_notifier", "false");
        return builder;
    }
}
