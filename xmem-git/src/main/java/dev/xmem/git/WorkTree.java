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
 * Somebody's clone. Its branch is moved only forward, or from commits that touch nothing but the exported files and were
 * never pushed: those are views, and made anew on what the remote has. Where somebody's own commits have to be merged with
 * the remote's, that is theirs to do: the export is committed and not pushed.
 */
final class WorkTree implements GitExport.Place {
    private final Path folder;
    private final boolean autoPush;
    private final ExportState contribution;
    private long deadline;

    WorkTree(Path folder, boolean autoPush, ExportState contribution) {
        this.folder = folder;
        this.autoPush = autoPush;
        this.contribution = contribution;
    }

    /** The remote's branch that a local one goes with. */
    private record Upstream(String remote, String ref, String tracking) {}

    @Override
    public Exported export(Duration limit) throws IOException {
        deadline = System.nanoTime() + limit.toNanos();
        String branch = orThrow("no branch is checked out in " + folder, "symbolic-ref", "--quiet", "--short", "HEAD");
        if (git("rev-parse", "--quiet", "--verify", "MERGE_HEAD").isDone()
                || !said("ls-files", "-u").isEmpty()) {
            throw new IOException("somebody is merging in " + folder + "; finish that, then export again");
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
                return done.isNotPushed(String.valueOf(problem));
            }
            GitProcess.Ended push = isAt(upstream)
                    ? null
                    : git("push", "--quiet", "--porcelain", "--", upstream.remote, "HEAD:" + upstream.ref);
            if (push == null) {
                return done.committed() ? done.isPushed() : done;
            }
            if (push.isDone()) {
                return done.isPushed();
            }
            if (!NativeGitRemote.raced(push.output())) {
                return done.isNotPushed("git push: " + push.output());
            }
        }
        return done.isNotPushed("others pushed each time; the next export goes on");
    }

    private @Nullable Upstream upstream(String branch) throws IOException {
        String remote = said("config", "branch." + branch + ".remote");
        String ref = said("config", "branch." + branch + ".merge");
        if (remote.isEmpty() || ref.isEmpty()) {
            if (!git("config", "remote.origin.url").isDone()) {
                return null;
            }
            remote = "origin";
            ref = "refs/heads/" + branch;
        }
        return new Upstream(remote, ref, "refs/remotes/" + remote + "/" + ref.replaceFirst("^refs/heads/", ""));
    }

    /** Whether the remote has what is checked out. */
    private boolean isAt(Upstream upstream) throws IOException {
        String there = said("rev-parse", "--quiet", "--verify", upstream.tracking);
        return !there.isEmpty() && there.equals(said("rev-parse", "--quiet", "--verify", "HEAD"));
    }

    /** Brings the branch to where the remote's is; why not, if that cannot be. */
    private @Nullable String align(Upstream upstream) throws IOException {
        GitProcess.Ended fetch = git(
                "fetch", "--quiet", "--no-tags", "--", upstream.remote, "+" + upstream.ref + ":" + upstream.tracking);
        if (!fetch.isDone() && !fetch.output().contains("couldn't find remote ref")) {
            return "git fetch: " + fetch.output();
        }
        String there = said("rev-parse", "--quiet", "--verify", upstream.tracking);
        if (there.isEmpty() || git("merge-base", "--is-ancestor", there, "HEAD").isDone()) {
            return null;
        }
        boolean unborn = said("rev-parse", "--quiet", "--verify", "HEAD").isEmpty();
        if (!unborn && !onlyExports(there)) {
            return "the branch and the remote's have gone apart; merge them, then export again";
        }
        clean();
        orThrow(
                "the remote's branch cannot be checked out in " + folder,
                unborn
                        ? new String[] {"merge", "--quiet", "--ff-only", there}
                        : new String[] {"reset", "--quiet", "--keep", there});
        return null;
    }

    /** Whether each commit that only this clone has touches exported files and nothing else. */
    private boolean onlyExports(String there) throws IOException {
        List<String> ours = names().stream().map(WorkTree::inFolder).toList();
        List<String> others = new ArrayList<>(List.of(":(top)"));
        ours.forEach(path -> others.add(":(exclude)" + path));
        String range = there + "..HEAD";
        String all = said("rev-list", "--count", range);
        String exports = said(with(List.of("rev-list", "--count", "--no-merges", range, "--"), ours));
        String rest = said(with(List.of("rev-list", "--count", range, "--"), others));
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

    /** Keeps what people wrote into the files and did not commit. */
    private void hold() throws IOException {
        for (String name : GitExport.LOGS) {
            byte[] lines = read(name);
            boolean dirty = lines != null
                    && (!isCommitted(name)
                            || !git("diff", "--quiet", "HEAD", "--", inFolder(name))
                                    .isDone());
            if (lines != null && dirty) {
                contribution.hold(name, lines);
            }
        }
    }

    private boolean isCommitted(String name) throws IOException {
        return git("cat-file", "-e", "HEAD:./" + inFolder(name)).isDone();
    }

    /** Puts the files back to what is committed: what stood in them is held. */
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

    /** A file, unless a link leads out of the clone. */
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
        ExportFiles next = contribution.files(there);
        contribution.begin(next);
        Map<String, byte[]> files = new TreeMap<>(next.files());
        files.put(GitExport.ATTRIBUTES, GitExport.attributes(read(GitExport.ATTRIBUTES)));
        List<String> paths = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (!Arrays.equals(file.getValue(), read(file.getKey()))) {
                ExportState.replace(file(file.getKey()), file.getValue());
            }
            paths.add(inFolder(file.getKey()));
        }
        add(paths);
        ExportResult done = ExportResult.NOTHING;
        if (!git(with(List.of("diff", "--cached", "--quiet", "--"), paths)).isDone()) {
            orThrow(
                    "git cannot commit the export",
                    with(List.of("commit", "--quiet", "--only", "-m", next.message(), "--"), paths));
            done = new ExportResult(true, false, next.message(), null);
        }
        contribution.end(next);
        return done;
    }

    /** Also where a rule of the repository ignores them: somebody asked for the export. */
    private void add(List<String> paths) throws IOException {
        orThrow("git cannot add the exported files", with(List.of("add", "--force", "--"), paths));
    }

    private static String[] with(List<String> command, List<String> paths) {
        List<String> all = new ArrayList<>(command);
        all.addAll(paths);
        return all.toArray(String[]::new);
    }

    private GitProcess.Ended git(String... arguments) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the time for the export is over");
        }
        List<String> options = new ArrayList<>(List.of("-c", "core.autocrlf=false", "-c", "core.quotePath=false"));
        if (System.getenv("GIT_AUTHOR_EMAIL") == null && arguments[0].equals("commit")) {
            options.addAll(identity());
        }
        GitProcess git = new GitProcess(folder, contribution.output(), options, null, null);
        return git.run(List.of(arguments), Duration.ofNanos(left), () -> {});
    }

    /** Somebody to commit as, where the machine's git knows nobody. */
    private List<String> identity() throws IOException {
        return git("config", "user.email").isDone()
                ? List.of()
                : List.of("-c", "user.name=xmem", "-c", "user.email=xmem@localhost");
    }

    /** What git answers; empty where it fails. */
    private String said(String... arguments) throws IOException {
        GitProcess.Ended ended = git(arguments);
        return ended.isDone() ? ended.output() : "";
    }

    private String orThrow(String problem, String... arguments) throws IOException {
        GitProcess.Ended ended = git(arguments);
        if (!ended.isDone()) {
            throw new IOException(problem + ": " + ended.output());
        }
        return ended.output();
    }
}
