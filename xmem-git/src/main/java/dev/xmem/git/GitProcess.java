package dev.xmem.git;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the machine's {@code git}: without prompts, with an end to its time, and killed with its children where it does not
 * end by itself. A token reaches it by the environment, through a credential helper of one line; it stands in no argument,
 * file or message.
 */
final class GitProcess {
    private static final int MAX_OUTPUT = 16 << 10;
    private static final long LOOK_MILLIS = 250;
    private static final Set<String> TAKEN_AWAY = Set.of(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_NAMESPACE",
            "GIT_PREFIX",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_TRACE",
            "GIT_TRACE_CURL",
            "GIT_CURL_VERBOSE");

    private final Path folder;
    private final Path output;
    private final List<String> options;
    private final @Nullable String user;
    private final @Nullable String token;

    /**
     * Git in a folder.
     *
     * @param output the file that takes what it says
     * @param options what comes before each command
     */
    GitProcess(Path folder, Path output, List<String> options, @Nullable String user, @Nullable String token) {
        this.folder = folder;
        this.output = output;
        this.options = List.copyOf(options);
        this.user = user;
        this.token = token;
    }

    /** How it ended, and what it said. */
    record Ended(int code, String output) {
        boolean isDone() {
            return code == 0;
        }
    }

    /** Looks, a few times a second, whether git may go on; throws if not. */
    interface Watch {
        void look() throws IOException;
    }

    Ended run(List<String> arguments, Duration limit, Watch watch) throws IOException {
        return run(arguments, limit, watch, MAX_OUTPUT);
    }

    /** The same; hands over so many bytes at most of what git said. */
    Ended run(List<String> arguments, Duration limit, Watch watch, int maxOutput) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("git", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "protocol.ext.allow=never"));
        command.addAll(List.of("-c", "fetch.recurseSubmodules=false"));
        if (token != null) {
            command.addAll(
                    List.of(
                            "-c", "credential.helper=",
                            "-c",
                                    "credential.helper=!f() { echo username=$XMEM_GIT_USER; echo password=$XMEM_GIT_TOKEN; }; f"));
        }
        command.addAll(options);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile());
        environment(builder.environment());
        Process process = builder.start();
        try {
            await(process, limit, watch);
            return new Ended(process.exitValue(), said(maxOutput));
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private void environment(Map<String, String> variables) {
        variables.keySet().removeIf(TAKEN_AWAY::contains);
        variables.put("GIT_TERMINAL_PROMPT", "0");
        variables.put("GCM_INTERACTIVE", "never");
        variables.put("SSH_ASKPASS_REQUIRE", "never");
        variables.put("GIT_EDITOR", "true");
        variables.putIfAbsent("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=10");
        variables.put("LC_ALL", "C");
        if (token != null) {
            variables.put("XMEM_GIT_USER", user == null ? "x-access-token" : user);
            variables.put("XMEM_GIT_TOKEN", token);
        }
    }

    private static void await(Process process, Duration limit, Watch watch) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                long left = deadline - System.nanoTime();
                if (process.waitFor(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)), TimeUnit.NANOSECONDS)) {
                    return;
                }
                if (left <= 0) {
                    throw new IOException("git took longer than " + limit.toSeconds() + " s and was ended");
                }
                watch.look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("git was interrupted and ended");
        }
    }

    /** What git said, without anything that drives a terminal, and without what a URL may carry. */
    private String said(int most) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
            byte[] bytes = new byte[(int) Math.min(most, file.length())];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .replaceAll("[\\p{Cntrl}&&[^\\n]]", " ")
                    .replaceAll("//[^/@\\s]*@", "//")
                    .strip();
        }
    }
}
