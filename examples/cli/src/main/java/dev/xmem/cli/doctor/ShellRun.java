package dev.xmem.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a command: its exit code, its output, and how long it took.
 *
 * @param exitCode -1 if it did not end in time and was ended
 */
record ShellRun(int exitCode, String out, String err, long millis) {
    private static final int MAX_CHARS = 2000;

    /** Runs a command with the environment of the agent and this input. */
    static ShellRun of(List<String> command, Place place, String input, long limitMillis) throws IOException {
        Path files = Files.createTempDirectory("xmem-doctor");
        try {
            Path in = Files.writeString(files.resolve("in"), input);
            Path out = files.resolve("out");
            Path err = files.resolve("err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            if (Files.isDirectory(place.project())) {
                builder.directory(place.project().toFile());
            }
            builder.environment().clear();
            builder.environment().putAll(place.variables());
            long begin = System.nanoTime();
            Process process = builder.start();
            int code = -1;
            if (process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
                code = process.exitValue();
            } else {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            return new ShellRun(code, text(out), text(err), millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            for (String name : List.of("in", "out", "err")) {
                Files.deleteIfExists(files.resolve(name));
            }
            Files.deleteIfExists(files);
        }
    }

    private static String text(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return text.substring(0, Math.min(MAX_CHARS, text.length())).strip();
    }
}
