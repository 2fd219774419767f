package dev.xmem.git;

import dev.xmem.core.ExportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Exports into a clone of a user. The branch is only moved forward, or back from unpushed commits that change nothing
 * but the exported files: those are discarded, and the export is computed again on the remote's branch. If the user's
 * own commits have to be merged with the remote's, the user has to do that: the export is committed and not pushed.
 */
final class WorkTree implements GitExport.Target {
    private final Path folder;
    private final boolean autoPush;
    private final ExportState state;
    private long deadline;

    WorkTree(Path folder, boolean autoPush, ExportState state) {
        this.folder = folder;
        this.autoPush = autoPush;
        this.state = state;
    }

    /** The remote's branch that the local branch tracks. */
    private record Upstream(String remote, String ref, String tracking) {}

    @Override
    public Exported export(Duration limit) throws IOException {
        deadline = System.nanoTime() + limit.toNanos();
        String branch = orThrow("no branch is checked out in " + folder, "symbolic-ref", "--quiet", "--short", "HEAD");
        if (git("rev-parse", "--quiet", "--verify", "MERGE_HEAD").isOk()
                || !output("ls-files", "-u").isEmpty()) {
            throw new IOException("a merge is in progress in " + folder + "; finish it, then export again");
        }
        Upstream upstream = autoPush ? upstream(branch) : null;
        hold();
        ExportResult done = ExportResult.NOTHING;
        for (int tries = 0; tries < GitExport.TRIES; tries++) {
            String problem = upstream == null ? "there is no remote to push to" : align(upstream);
            ExportResult now = commit();
            done = now.committed() ? now : new ExportResult(done.committed(), false, done.message(), null);
            if (!autoPush) {
                return done;
            }
            if (upstream == null || problem != null) {
                return done.asNotPushed(String.valueOf(problem));
            }
            GitProcess.Exit push = isAt(upstream)
                    ? null
                    : git("push", "--quiet", "--porcelain", "--", upstream.remote, "HEAD:" + upstream.ref);
            if (push == null) {
                return done.committed() ? done.asPushed() : done;
            }
            if (push.isOk()) {
                return done.asPushed();
            }
            if (!NativeGitRemote.lostRace(push.output())) {
                return done.asNotPushed("git push: " + push.output());
            }
        }
        return done.asNotPushed("other writers pushed before each attempt; the next export continues");
    }

    private @Nullable Upstream upstream(String branch) throws IOException {
        String remote = output("config", "branch." + branch + ".remote");
        String ref = output("config", "branch." + branch + ".merge");
        if (remote.isEmpty() || ref.isEmpty()) {
            if (!git("config", "remote.origin.url").isOk()) {
                return null;
            }
            remote = "origin";
            ref = "refs/heads/" + branch;
        }
        return new Upstream(remote, ref, "refs/remotes/" + remote + "/" + ref.replaceFirst("^refs/heads/", ""));
    }

    /** Whether the remote has the checked-out commit. */
    private boolean isAt(Upstream upstream) throws IOException {
        String there = output("rev-parse", "--quiet", "--verify", upstream.tracking);
        return !there.isEmpty() && there.equals(output("rev-parse", "--quiet", "--verify", "HEAD"));
    }

    /** Moves the branch to the remote's; returns the reason if that is not possible. */
    private @Nullable String align(Upstream upstream) throws IOException {
        GitProcess.Exit fetch = git(
                "fetch", "--quiet", "--no-tags", "--", upstream.remote, "+" + upstream.ref + ":" + upstream.tracking);
        if (!fetch.isOk() && !fetch.output().contains("couldn't find remote ref")) {
            return "git fetch: " + fetch.output();
        }
        String there = output("rev-parse", "--quiet", "--verify", upstream.tracking);
        if (there.isEmpty() || git("merge-base", "--is-ancestor", there, "HEAD").isOk()) {
            return null;
        }
        boolean unborn = output("rev-parse", "--quiet", "--verify", "HEAD").isEmpty();
        if (!unborn && !onlyExports(there)) {
            return "the branch and the remote's have diverged; merge them, then export again";
        }
        clean();
        orThrow(
                "the remote's branch cannot be checked out in " + folder,
                unborn
                        ? new String[] {"merge", "--quiet", "--ff-only", there}
                        : new String[] {"reset", "--quiet", "--keep", there});
        return null;
    }

    /** Whether the commits that only this clone has change nothing but exported files. */
    private boolean onlyExports(String there) throws IOException {
        List<String> ours = names().stream().map(WorkTree::inFolder).toList();
        List<String> others = new ArrayList<>(List.of(":(top)"));
        ours.forEach(path -> others.add(":(exclude)" + path));
        String range = there + "..HEAD";
        String all = output("rev-list", "--count", range);
        String exports = output(with(List.of("rev-list", "--count", "--no-merges", range, "--"), ours));
        String rest = output(with(List.of("rev-list", "--count", range, "--"), others));
        return rest.equals("0") && exports.equals(all);
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(GitExport.LOGS);
        names.add(GitExport.INDEX);
        names.add(GitExport.ATTRIBUTES);
        return names;
    }

    private static String inFolder(String name) {
        return GitExport.FOLDER + "/" + name;
    }

    /** Keeps the uncommitted lines of the files. */
    private void hold() throws IOException {
        for (String name : GitExport.LOGS) {
            byte[] lines = read(name);
            boolean dirty = lines != null
                    && (!isCommitted(name)
                            || !git("diff", "--quiet", "HEAD", "--", inFolder(name))
                                    .isOk());
            if (lines != null && dirty) {
                state.hold(name, lines);
            }
        }
    }

    private boolean isCommitted(String name) throws IOException {
        return git("cat-file", "-e", "HEAD:./" + inFolder(name)).isOk();
    }

    /** Resets the files to the committed ones; their uncommitted lines are kept by {@link #hold}. */
    private void clean() throws IOException {
        for (String name : names()) {
            if (isCommitted(name)) {
                orThrow("git cannot restore " + name, "checkout", "--quiet", "HEAD", "--", inFolder(name));
            } else {
                git("rm", "--quiet", "--force", "--cached", "--ignore-unmatch", "--", inFolder(name));
                Files.deleteIfExists(file(name));
            }
        }
    }

    /** The path of an exported file; throws an exception if it is or leads through a symbolic link. */
    private Path file(String name) throws IOException {
        Path data = folder.resolve(GitExport.FOLDER);
        for (Path path : List.of(data, data.resolve(name))) {
            if (Files.isSymbolicLink(path)) {
                throw new IOException(path + " is a symbolic link; nothing is exported through it");
            }
        }
        return data.resolve(name);
    }

    private byte @Nullable [] read(String name) throws IOException {
        Path file = file(name);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (Files.size(file) > GitExport.MAX_FILE_BYTES) {
            throw new IOException(file + " is larger than " + GitExport.MAX_FILE_BYTES + " bytes");
        }
        return Files.readAllBytes(file);
    }

    private ExportResult commit() throws IOException {
        clean();
        Map<String, byte[]> there = new TreeMap<>();
        for (String name : GitExport.LOGS) {
            byte[] lines = read(name);
            if (lines != null) {
                there.put(name, lines);
            }
        }
        ExportFiles next = state.files(there);
        state.begin(next);
        Map<String, byte[]> files = new TreeMap<>(next.files());
        files.put(GitExport.ATTRIBUTES, GitExport.attributes(read(GitExport.ATTRIBUTES)));
        List<String> paths = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!Arrays.equals(file.getValue(), read(file.getKey()))) {
                ExportState.replace(file(file.getKey()), file.getValue());
            }
            paths.add(inFolder(file.getKey()));
        }
        // Even if the repository ignores them.
        orThrow("git cannot add the exported files", with(List.of("add", "--force", "--"), paths));
        ExportResult done = ExportResult.NOTHING;
        if (!git(with(List.of("diff", "--cached", "--quiet", "--"), paths)).isOk()) {
            orThrow(
                    "git cannot commit the export",
                    with(List.of("commit", "--quiet", "--only", "-m", next.message(), "--"), paths));
            done = new ExportResult(true, false, next.message(), null);
        }
        state.end(next);
        return done;
    }

    private static String[] with(List<String> command, List<String> paths) {
        List<String> all = new ArrayList<>(command);
        all.addAll(paths);
        return all.toArray(String[]::new);
    }

    private GitProcess.Exit git(String... arguments) throws IOException {
        Duration left = GitExport.timeLeft(deadline);
        List<String> options = new ArrayList<>(List.of("-c", "core.autocrlf=false", "-c", "core.quotePath=false"));
        if (System.getenv("GIT_AUTHOR_EMAIL") == null && arguments[0].equals("commit")) {
            options.addAll(identity());
        }
        GitProcess git = new GitProcess(folder, state.output(), options, null, null);
        return git.run(List.of(arguments), left, () -> {});
    }

    /** The options for a committer, if none is configured. */
    private List<String> identity() throws IOException {
        return git("config", "user.email").isOk()
                ? List.of()
                : List.of("-c", "user.name=xmem", "-c", "user.email=xmem@localhost");
    }

    /** The output of git; empty if it fails. */
    private String output(String... arguments) throws IOException {
        GitProcess.Exit exit = git(arguments);
        return exit.isOk() ? exit.output() : "";
    }

    private String orThrow(String problem, String... arguments) throws IOException {
        GitProcess.Exit exit = git(arguments);
        if (!exit.isOk()) {
            throw new IOException(problem + ": " + exit.output());
        }
        return exit.output();
    }
}
