package dev.xmem.cli;

import dev.xmem.git.Exported;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem export}: the store as the seed's files, committed to a git repository. */
@Command(
        name = "export",
        description = {
            "Makes data/failures.jsonl, data/successes.jsonl, data/index.json and their like in a git repository, and commits"
                    + " them in one commit, such as: X-MEM: Record failure 2026-02-14-003 (rclone sync).",
            "Into a clone (--to), with --push also to its remote; or onto a branch of a remote without a clone (--remote,"
                    + " --branch), which is always pushed. It is a view: where others pushed in between it is made anew.",
            "The place is remembered. With --automatic it is exported to from now on after each command of this program that"
                    + " changes the store; an export elsewhere changes nothing of that, --no-automatic ends it.",
            "The exit code is 1 where it is committed and could not be pushed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem --store .xmem-store export --to . --push",
            "  xmem --store .xmem-store export --to . --push --automatic",
            "  xmem export --remote git@example.org:team/memory.git --branch memory",
            "  xmem export",
            "  xmem export --no-automatic"
        })
final class ExportCommand implements Callable<Integer> {
    private final Root root;

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    @Nullable Where where;

    @Option(names = "--push", description = "Fetch before and push after; only into a clone.")
    boolean push;

    @Option(
            names = "--automatic",
            description = "From now on export after each command that changes the store; default: as it was.")
    boolean automatic;

    @Option(names = "--no-automatic", description = "From now on do not; without a place nothing is exported now.")
    boolean notAutomatic;

    @Option(names = "--transport", paramLabel = "git|jgit", description = "As for sync; only with --remote.")
    @Nullable String transport;

    @Option(names = "--limit", paramLabel = "SECONDS", description = "How long it may take; default 60.")
    int seconds = 60;

    /** A clone, or a branch of a remote. */
    static final class Where {
        @Option(names = "--to", required = true, paramLabel = "DIR", description = "A folder in a clone.")
        @Nullable Path clone;

        @ArgGroup(exclusive = false)
        @Nullable Remote remote;
    }

    /** A branch of a remote. */
    static final class Remote {
        @Option(names = "--remote", required = true, paramLabel = "URL-OR-PATH", description = "A git repository.")
        String url = "";

        @Option(names = "--branch", required = true, paramLabel = "NAME", description = "A branch; made if needed.")
        String branch = "";
    }

    ExportCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Duration limit = SyncCommand.limit(seconds);
        Path store = root.stores().folderThatIsThere();
        Exports exports = new Exports(store, root.surroundings());
        if (automatic && notAutomatic) {
            throw new UsageException("--automatic or --no-automatic, not both");
        }
        boolean asItWas = !automatic && !notAutomatic;
        Exports.Known before = before(exports, asItWas);
        Exports.Place place = place(store, before);
        if (where == null && notAutomatic) {
            exports.remember(place, false);
            answer(
                    root.json
                            ? Json.object(g -> g.writeBooleanField("automatic", false))
                            : "exported by itself no more");
            return Main.OK;
        }
        Exported done;
        Progress progress = Progress.of(root.terminal(), "export", root.json);
        try (progress) {
            done = exports.to(place).export(limit);
        }
        boolean byItself = before != null && before.automatic();
        boolean elsewhere = asItWas && byItself && where != null;
        boolean moved = asItWas && before != null && before.moved();
        boolean now = asItWas ? byItself : automatic;
        if (!elsewhere && !moved) {
            exports.remember(place, now);
        }
        boolean here = now && !elsewhere;
        answer(root.json ? json(done, here) : text(done, here));
        return done.problem() == null ? Main.OK : Main.REFUSED;
    }

    /** What is remembered, where that matters; what cannot be read does not where it is to be written anew. */
    private Exports.@Nullable Known before(Exports exports, boolean asItWas) {
        if (where == null) {
            return exports.known();
        }
        try {
            return asItWas ? exports.known() : null;
        } catch (UsageException e) {
            return null;
        }
    }

    private Exports.Place place(Path store, Exports.@Nullable Known before) {
        Exports.Place place;
        if (where != null) {
            place = given(store, where);
        } else if (before != null) {
            place = before.place();
        } else {
            throw new UsageException("export to where? Give --to DIR, or --remote URL-OR-PATH --branch NAME, once;"
                    + " it is remembered");
        }
        boolean toRemote = !place.remote().isEmpty();
        if (toRemote && push) {
            throw new UsageException("--push is for --to; a branch of a remote is always pushed");
        }
        if (!toRemote && transport != null) {
            throw new UsageException("--transport is for --remote; a clone is pushed by the machine's git");
        }
        return new Exports.Place(
                place.folder(),
                push || place.push(),
                place.remote(),
                place.branch(),
                transport == null ? place.transport() : transport);
    }

    private Exports.Place given(Path store, Where given) {
        if (given.remote == null) {
            Path clone = root.surroundings().folder().resolve(String.valueOf(given.clone));
            return new Exports.Place(clone.toAbsolutePath().normalize().toString(), false, "", "", "git");
        }
        String remote = new Remotes(store, root.surroundings()).remote(given.remote.url);
        return new Exports.Place("", false, remote, given.remote.branch, "git");
    }

    private void answer(String text) throws IOException {
        root.terminal().answer(text);
        root.terminal().flush();
    }

    private static String text(Exported done, boolean automatic) {
        String text = done.committed() ? "committed: " + done.message() : "nothing to commit";
        String pushed = done.pushed() ? "\npushed" : "";
        String problem = done.problem() == null ? "" : "\nnot pushed: " + done.problem();
        return text + pushed + problem + (automatic ? "\nexported by itself after each change" : "");
    }

    private static String json(Exported done, boolean automatic) {
        return Json.object(g -> {
            g.writeBooleanField("committed", done.committed());
            g.writeBooleanField("pushed", done.pushed());
            g.writeStringField("message", done.message());
            g.writeStringField("problem", done.problem());
            g.writeBooleanField("automatic", automatic);
        });
    }
}
