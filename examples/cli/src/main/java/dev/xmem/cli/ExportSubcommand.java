package dev.xmem.cli;

import dev.xmem.git.Exported;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem export}: commits the store to a git repository as the files of the X-MEM protocol. */
@Command(
        name = "export",
        description = {
            "Commits the store to a git repository as the files of the X-MEM protocol.",
            "Writes the files (data/failures.jsonl, data/successes.jsonl,"
                    + " data/index.json and others) into a git repository, in one commit such as: X-MEM: Record failure"
                    + " 2026-02-14-003 (rclone sync).",
            "Exports into a clone (--to), with --push also to the clone's remote; or directly to a branch of"
                    + " a remote (--remote, --branch), which is always pushed. The export is a view of the store: if"
                    + " another client pushed in between, it is written again on top of the new state.",
            "The target is saved. With --automatic every command of this program that changes the store then"
                    + " exports to it; --no-automatic turns that off. An export to another target changes neither.",
            "The exit code is 1 if the export was committed but could not be pushed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem --store .xmem-store export --to . --push",
            "  xmem --store .xmem-store export --to . --push --automatic",
            "  xmem export --remote git@example.org:team/memory.git --branch memory",
            "  xmem export",
            "  xmem export --no-automatic"
        })
final class ExportSubcommand extends Subcommand {
    @ArgGroup(exclusive = true, multiplicity = "0..1")
    @Nullable TargetOptions targetOptions;

    @Option(names = "--push", description = "Fetch before the export and push after it; only with --to.")
    boolean push;

    @Option(
            names = "--automatic",
            description = "From now on, export after each command that changes the store; default: unchanged.")
    boolean automatic;

    @Option(names = "--no-automatic", description = "Turn automatic export off; without a target, export nothing now.")
    boolean notAutomatic;

    @Option(names = "--transport", paramLabel = "git|jgit", description = "As for sync; only with --remote.")
    @Nullable String transport;

    @Option(names = "--limit", paramLabel = "SECONDS", description = "Time limit; default 60.")
    int seconds = 60;

    /** The target: a clone, or a branch of a remote. */
    static final class TargetOptions {
        @Option(names = "--to", required = true, paramLabel = "DIR", description = "A directory in a clone.")
        @Nullable Path clone;

        @ArgGroup(exclusive = false)
        @Nullable Remote remote;
    }

    /** A branch of a remote. */
    static final class Remote {
        @Option(names = "--remote", required = true, paramLabel = "URL-OR-PATH", description = "A git repository.")
        String url = "";

        @Option(names = "--branch", required = true, paramLabel = "NAME", description = "A branch; created if needed.")
        String branch = "";
    }

    @Override
    public Integer call() throws IOException {
        Duration limit = SyncSubcommand.limit(seconds);
        Path store = root.stores().existingDirectory();
        ExportSettings settings = new ExportSettings(store, root.environment());
        if (automatic && notAutomatic) {
            throw new UsageException("--automatic or --no-automatic, not both");
        }
        boolean keepsAutomatic = !automatic && !notAutomatic;
        ExportSettings.Saved before = before(settings, keepsAutomatic);
        ExportSettings.Target target = target(store, before);
        if (targetOptions == null && notAutomatic) {
            settings.save(target, false);
            return answer(
                    root.json
                            ? JsonText.object(g -> g.writeBooleanField("automatic", false))
                            : "automatic export is off");
        }
        Exported exported;
        ProgressReporter progress = ProgressReporter.of(root.terminal(), "export", root.json);
        try (progress) {
            exported = settings.exportTo(target).export(limit);
        }
        boolean wasAutomatic = before != null && before.automatic();
        boolean elsewhere = keepsAutomatic && wasAutomatic && targetOptions != null;
        boolean moved = keepsAutomatic && before != null && before.moved();
        boolean now = keepsAutomatic ? wasAutomatic : automatic;
        if (!elsewhere && !moved) {
            settings.save(target, now);
        }
        boolean automaticHere = now && !elsewhere;
        int code = answer(root.json ? json(exported, automaticHere) : text(exported, automaticHere));
        return exported.problem() == null ? code : Main.REFUSED;
    }

    /** The saved settings if this run needs them. Unreadable settings are ignored if this run replaces them. */
    private ExportSettings.@Nullable Saved before(ExportSettings settings, boolean keepsAutomatic) {
        if (targetOptions == null) {
            return settings.load();
        }
        try {
            return keepsAutomatic ? settings.load() : null;
        } catch (UsageException e) {
            return null;
        }
    }

    private ExportSettings.Target target(Path store, ExportSettings.@Nullable Saved before) {
        ExportSettings.Target target;
        if (targetOptions != null) {
            target = toTarget(store, targetOptions);
        } else if (before != null) {
            target = before.target();
        } else {
            throw new UsageException(
                    "no export target: give --to DIR, or --remote URL-OR-PATH --branch NAME, once;" + " it is saved");
        }
        boolean toRemote = !target.remote().isEmpty();
        if (toRemote && push) {
            throw new UsageException("--push is for --to; a branch of a remote is always pushed");
        }
        if (!toRemote && transport != null) {
            throw new UsageException("--transport is for --remote; a clone is pushed with the installed git");
        }
        if (!toRemote && !Files.isDirectory(root.environment().resolve(target.folder()))) {
            throw new UsageException(
                    "--to must name a folder that exists, in a git work tree, not \"" + target.folder() + '"');
        }
        return new ExportSettings.Target(
                target.folder(),
                push || target.push(),
                target.remote(),
                target.branch(),
                transport == null ? target.transport() : transport);
    }

    private ExportSettings.Target toTarget(Path store, TargetOptions options) {
        if (options.remote == null) {
            Path clone = root.environment().folder().resolve(String.valueOf(options.clone));
            return new ExportSettings.Target(clone.toAbsolutePath().normalize().toString(), false, "", "", "git");
        }
        String remote = new SyncRemote(store, root.environment()).remote(options.remote.url);
        return new ExportSettings.Target("", false, remote, options.remote.branch, "git");
    }

    private static String text(Exported exported, boolean automatic) {
        String text = exported.committed() ? "committed: " + exported.message() : "nothing to commit";
        String pushed = exported.pushed() ? "\npushed" : "";
        String problem = exported.problem() == null ? "" : "\nnot pushed: " + exported.problem();
        return text + pushed + problem + (automatic ? "\nautomatic export is on" : "");
    }

    private static String json(Exported exported, boolean automatic) {
        return JsonText.object(g -> {
            g.writeBooleanField("committed", exported.committed());
            g.writeBooleanField("pushed", exported.pushed());
            g.writeStringField("message", exported.message());
            g.writeStringField("problem", exported.problem());
            g.writeBooleanField("automatic", automatic);
        });
    }
}
