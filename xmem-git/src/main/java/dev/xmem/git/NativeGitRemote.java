package dev.xmem.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The installed {@code git} on the store's own repository: without prompts, hooks, submodules and a work tree, and with
 * limits on time and download size.
 */
final class NativeGitRemote implements GitRemote {
    private static final int MAX_LISTED = 4 << 20;
    /** What a host says that refuses the pushed objects, or cannot store them; not the name of the ref. */
    private static final Pattern REFUSED_CONTENT = Pattern.compile("declined|unpack|missing necessary objects");

    private final Path repository;
    private final String remote;
    private final long maxDownload;
    private final GitProcess git;

    NativeGitRemote(Path repository, String remote, long maxDownload, @Nullable String user, @Nullable String token) {
        this.repository = repository;
        this.remote = remote;
        this.maxDownload = maxDownload;
        List<String> options = List.of("-c", "core.hooksPath=/dev/null", "--git-dir=" + repository);
        this.git = new GitProcess(repository, repository.resolve("xmem-output"), options, user, token);
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
        GitProcess.Exit exit = run(arguments, limit);
        if (!exit.isOk()) {
            throw new IOException("git fetch: " + exit.output());
        }
    }

    @Override
    public Map<String, ObjectId> list(List<String> prefixes, Duration limit) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("ls-remote", "--quiet", "--refs", "--", remote));
        prefixes.forEach(prefix -> arguments.add(prefix + "*"));
        GitProcess.Exit exit = git.run(arguments, limit, () -> {}, MAX_LISTED);
        if (!exit.isOk()) {
            throw new IOException("git ls-remote: " + exit.output());
        }
        Map<String, ObjectId> refs = new TreeMap<>();
        for (String line : exit.output().lines().toList()) {
            int gap = line.indexOf(' ');
            if (gap > 0 && ObjectId.isId(line.substring(0, gap))) {
                refs.put(line.substring(gap + 1).strip(), ObjectId.fromString(line.substring(0, gap)));
            }
        }
        return refs;
    }

    @Override
    public Pushed push(String ref, @Nullable ObjectId expected, ObjectId next, Duration limit) throws IOException {
        String lease = "--force-with-lease=" + ref + ":" + (expected == null ? "" : expected.name());
        GitProcess.Exit exit = run(
                List.of("push", "--quiet", "--porcelain", "--no-verify", lease, "--", remote, next.name() + ":" + ref),
                limit);
        if (exit.isOk()) {
            return Pushed.DONE;
        }
        String output = exit.output();
        boolean remoteRefused = output.contains("[remote rejected]");
        if (lostRace(output)) {
            return Pushed.STALE;
        }
        if (remoteRefused && !REFUSED_CONTENT.matcher(output).find()) {
            return Pushed.REFUSED;
        }
        throw new IOException("git push: " + output);
    }

    /** Whether the output of a push says that another writer pushed first. */
    static boolean lostRace(String output) {
        boolean remoteRefused = output.contains("[remote rejected]");
        return output.contains("[rejected]")
                || remoteRefused
                        && (output.contains("lock ref")
                                || output.contains("failed to update ref")
                                || output.contains("already exists"));
    }

    private GitProcess.Exit run(List<String> arguments, Duration limit) throws IOException {
        long before = downloading();
        return git.run(arguments, limit, () -> {
            if (downloading() - before > maxDownload) {
                throw new IOException("the remote sends more than " + maxDownload + " bytes; git was killed");
            }
        });
    }

    /** The size of the incoming pack. */
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
}
