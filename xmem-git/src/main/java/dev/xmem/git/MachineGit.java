package dev.xmem.git;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The machine's {@code git}: no prompts, no hooks, no submodules, no work tree, and an end to its time and to what it may
 * download. A token reaches it by the environment, through a credential helper of one line; it stands in no argument, file
 * or message.
 */
final class MachineGit implements Wire {
    private static final int MAX_OUTPUT = 16 << 10;
    private static final long LOOK_MILLIS = 250;

    private final Path repository;
    private final String remote;
    private final long maxDownload;
    private final @Nullable String user;
    private final @Nullable String token;

    MachineGit(Path repository, String remote, long maxDownload, @Nullable String user, @Nullable String token) {
        this.repository = repository;
        this.remote = remote;
        this.maxDownload = maxDownload;
        this.user = user;
        this.token = token;
    }

    @Override
    public void fetch(List<String> refspecs, Duration limit) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-write-fetch-head",
                "--no-recurse-submodules",
                "--prune",
                "--force",
                "--no-auto-maintenance",
                "--",
                remote));
        arguments.addAll(refspecs);
        Ended ended = run(arguments, limit);
        if (ended.code != 0) {
            throw new IOException("git fetch: " + ended.output);
        }
    }

    @Override
    public Pushed push(String ref, @Nullable ObjectId expected, ObjectId next, Duration limit) throws IOException {
        String lease = "--force-with-lease=" + ref + ":" + (expected == null ? "" : expected.name());
        Ended ended = run(
                List.of("push", "--quiet", "--porcelain", "--no-verify", lease, "--", remote, next.name() + ":" + ref),
                limit);
        if (ended.code == 0) {
            return Pushed.DONE;
        }
        String said = ended.output;
        boolean remoteRefused = said.contains("[remote rejected]");
        boolean raced = said.contains("[rejected]")
                || remoteRefused
                        && (said.contains("lock ref")
                                || said.contains("failed to update ref")
                                || said.contains("already exists"));
        if (raced) {
            return Pushed.STALE;
        }
        if (remoteRefused && !said.contains("declined")) {
            return Pushed.REFUSED;
        }
        throw new IOException("git push: " + said);
    }

    private record Ended(int code, String output) {}

    private Ended run(List<String> arguments, Duration limit) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "git",
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "gc.auto=0",
                "-c",
                "maintenance.auto=false",
                "-c",
                "protocol.ext.allow=never",
                "-c",
                "fetch.recurseSubmodules=false"));
        if (token != null) {
            command.addAll(
                    List.of(
                            "-c", "credential.helper=",
                            "-c",
                                    "credential.helper=!f() { echo username=$XMEM_GIT_USER; echo password=$XMEM_GIT_TOKEN; }; f"));
        }
        command.add("--git-dir=" + repository);
        command.addAll(arguments);
        File output = repository.resolve("xmem-output").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output);
        environment(builder.environment());
        Process process = builder.start();
        try {
            await(process, limit);
            return new Ended(process.exitValue(), said(output));
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private void environment(Map<String, String> variables) {
        variables
                .keySet()
                .removeIf(name -> List.of(
                                "GIT_DIR",
                                "GIT_WORK_TREE",
                                "GIT_INDEX_FILE",
                                "GIT_OBJECT_DIRECTORY",
                                "GIT_NAMESPACE",
                                "GIT_PREFIX",
                                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                "GIT_TRACE",
                                "GIT_TRACE_CURL",
                                "GIT_CURL_VERBOSE")
                        .contains(name));
        variables.put("GIT_TERMINAL_PROMPT", "0");
        variables.put("GCM_INTERACTIVE", "never");
        variables.put("SSH_ASKPASS_REQUIRE", "never");
        variables.putIfAbsent("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=10");
        variables.put("LC_ALL", "C");
        if (token != null) {
            variables.put("XMEM_GIT_USER", user == null ? "x-access-token" : user);
            variables.put("XMEM_GIT_TOKEN", token);
        }
    }

    private void await(Process process, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        long before = downloading();
        try {
            while (true) {
                long left = deadline - System.nanoTime();
                if (process.waitFor(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)), TimeUnit.NANOSECONDS)) {
                    return;
                }
                if (left <= 0) {
                    throw new IOException("git took longer than " + limit.toSeconds() + " s and was ended");
                }
                if (downloading() - before > maxDownload) {
                    throw new IOException("the remote sends more than " + maxDownload + " bytes; git was ended");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("git was interrupted and ended");
        }
    }

    /** How large the pack is that is just coming in. */
    private long downloading() throws IOException {
        Path packs = repository.resolve("objects").resolve("pack");
        if (!Files.isDirectory(packs)) {
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(packs)) {
            for (Path file : files.toList()) {
                if (String.valueOf(file.getFileName()).startsWith("tmp_")) {
                    bytes += file.toFile().length();
                }
            }
        }
        return bytes;
    }

    /** What git said, without anything that drives a terminal, and without what a URL may carry. */
    private static String said(File output) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(output, "r")) {
            byte[] bytes = new byte[(int) Math.min(MAX_OUTPUT, file.length())];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .replaceAll("[\\p{Cntrl}&&[^\\n]]", " ")
                    .replaceAll("//[^/@\\s]*@", "//")
                    .strip();
        }
    }
}
