package dev.xmem.hooks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts processes, and locates the built jar. */
final class Programs {
    static final Path JAR = Path.of("target", "xmem-hook.jar").toAbsolutePath();
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private Programs() {}

    /** The result of a process. */
    record Result(int exitCode, String out, String err) {}

    /** Runs the command with this input until it ends, without residents. */
    static Result run(Path folder, List<String> command, String input) throws IOException, InterruptedException {
        return run(folder, command, input, Map.of("XMEM_RESIDENT", "off"));
    }

    /**
     * Runs the command with this input until it ends; its streams are redirected to files in the directory, which is
     * also its home.
     */
    static Result run(Path folder, List<String> command, String input, Map<String, String> variables)
            throws IOException, InterruptedException {
        Path in = Files.createTempFile(folder, "in", "");
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Files.writeString(in, input);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        environment(builder.environment(), folder);
        builder.environment().putAll(variables);
        Process process = builder.start();
        if (!process.waitFor(600, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("did not end: " + command);
        }
        return new Result(process.exitValue(), text(out), text(err));
    }

    /** The environment of a user whose home is this directory, with the Java of this test. */
    static void environment(Map<String, String> variables, Path home) {
        variables.keySet().removeIf(name -> name.startsWith("XDG_") || name.startsWith("XMEM_"));
        variables.put("HOME", home.toString());
        variables.put("PATH", JAVA.replaceAll("/java$", "") + ":" + System.getenv("PATH"));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
