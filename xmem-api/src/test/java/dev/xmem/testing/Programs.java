package dev.xmem.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs until they end. Stateless. */
public final class Programs {
    /** The Java of the test. */
    public static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final long LIMIT_SECONDS = 600;

    private Programs() {}

    /**
     * The result of a process.
     *
     * @param exitCode its exit code
     * @param out its standard output
     * @param err its standard error
     */
    public record Result(int exitCode, String out, String err) {}

    /** Runs a command with this input, for a user whose home is the folder, without residents. */
    public static Result run(Path folder, List<String> command, String input) throws IOException, InterruptedException {
        return run(folder, command, input, Map.of("XMEM_RESIDENT", "off"));
    }

    /** Runs a command with this input, for a user whose home is the folder and who has set these variables. */
    public static Result run(Path folder, List<String> command, String input, Map<String, String> variables)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        environment(builder.environment(), folder);
        builder.environment().putAll(variables);
        return run(folder, builder, input);
    }

    /** Runs a command with this input, for the user of the test. */
    public static Result runHere(Path folder, List<String> command, String input)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        path(builder.environment());
        return run(folder, builder, input);
    }

    /** Gives variables the values for a user with this home and the Java of the test. */
    public static void environment(Map<String, String> variables, Path home) {
        variables.keySet().removeIf(name -> name.startsWith("XDG_") || name.startsWith("XMEM_"));
        variables.put("HOME", home.toString());
        path(variables);
    }

    private static void path(Map<String, String> variables) {
        variables.put("PATH", JAVA.replaceAll("/java$", "") + ":" + System.getenv("PATH"));
    }

    /** The streams of the process are redirected to files in the folder. */
    private static Result run(Path folder, ProcessBuilder builder, String input)
            throws IOException, InterruptedException {
        Path in = Files.createTempFile(folder, "in", "");
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Files.writeString(in, input);
        Process process = builder.redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("did not end: " + builder.command());
        }
        return new Result(process.exitValue(), text(out), text(err));
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
