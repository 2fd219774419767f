package dev.xmem.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Another JVM that runs a class of the tests, and how the two wait for each other: by files. */
public final class Jvm implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 1_200;

    private final Process process;
    private final Path output;

    private Jvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts a class in a working folder. */
    public static Jvm start(Path folder, List<String> options, Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path output = Files.createTempFile("jvm", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Jvm(process, output);
    }

    /** Waits for its end; an exit code other than 0 is an error that shows what it printed. */
    public void succeeds() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("exit code " + process.exitValue() + ":\n" + Files.readString(output));
        }
    }

    /** Waits for a file that it makes. */
    public void makes(Path file) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (Files.notExists(file)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new AssertionError("did not make " + file + ":\n" + Files.readString(output));
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** In the other JVM: waits for a file. */
    public static void await(Path file) {
        while (Files.notExists(file)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Ends it, as a crash would. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(output);
    }
}
