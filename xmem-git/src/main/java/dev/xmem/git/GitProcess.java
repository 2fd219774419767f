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
 * Runs the installed {@code git}: without prompts and with a time limit, after which it is killed together with its
 * children. A token is passed in the environment, to a one-line credential helper; it is in no argument, file or
 * message.
 */
final class GitProcess {
    private static final int MAX_OUTPUT = 16 << 10;
    private static final long CHECK_MILLIS = 250;
    private static final Set<String> REMOVED_VARIABLES = Set.of(
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
     * @param folder the working directory
     * @param output the file for git's output
     * @param options the options before each command
     */
    GitProcess(Path folder, Path output, List<String> options, @Nullable String user, @Nullable String token) {
        this.folder = folder;
        this.output = output;
        this.options = List.copyOf(options);
        this.user = user;
        this.token = token;
    }

    /** The exit code and the output. */
    record Exit(int code, String output) {
        boolean isOk() {
            return code == 0;
        }
    }

    /** Checks four times a second whether git may continue; throws an exception if not. */
    interface Check {
        void run() throws IOException;
    }

    Exit run(List<String> arguments, Duration limit, Check check) throws IOException {
        return run(arguments, limit, check, MAX_OUTPUT);
    }

    /** The same; returns at most the first {@code maxOutput} bytes of the output. */
    Exit run(List<String> arguments, Duration limit, Check check, int maxOutput) throws IOException {
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
            await(process, limit, check);
            return new Exit(process.exitValue(), readOutput(maxOutput));
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private void environment(Map<String, String> variables) {
        variables.keySet().removeIf(REMOVED_VARIABLES::contains);
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

    private static void await(Process process, Duration limit, Check check) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                long left = deadline - System.nanoTime();
                if (process.waitFor(
                        Math.min(left, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS)), TimeUnit.NANOSECONDS)) {
                    return;
                }
                if (left <= 0) {
                    throw new IOException("git took longer than " + limit.toSeconds() + " s and was killed");
                }
                check.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("git was interrupted and killed");
        }
    }

    /** The output without control characters, and without the user part of URLs. */
    private String readOutput(int most) throws IOException {
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
