package dev.xmem.cli;

import dev.xmem.git.GitExport;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The export target of a store, and whether every command that changes the store exports to it. Saved as a JSON object
 * in the store's {@code .xmem/export-to}, together with the store's path: automatic export stays off in a copied or
 * moved store until it is set again.
 */
final class ExportSettings {
    private final Path store;
    private final Environment environment;
    private final SavedSetting setting;

    ExportSettings(Path store, Environment environment) {
        this.store = real(store);
        this.environment = environment;
        this.setting = SavedSetting.of(store, "export-to");
    }

    private static Path real(Path store) {
        try {
            return store.toRealPath();
        } catch (IOException e) {
            return store.toAbsolutePath().normalize();
        }
    }

    /**
     * An export target.
     *
     * @param folder a directory in a clone; empty if the target is a branch of a remote
     * @param push whether the clone is pushed
     * @param remote the remote; empty if the target is a clone
     * @param branch the branch of the remote
     * @param transport how the remote is accessed, {@code git} or {@code jgit}
     */
    record Target(String folder, boolean push, String remote, String branch, String transport) {}

    /**
     * The saved settings.
     *
     * @param automatic whether each command that changes the store exports to the target
     * @param moved whether automatic export was set for another path of the store and must be set again
     */
    record Saved(Target target, boolean automatic, boolean moved) {}

    /** The saved settings; null if there are none. */
    @Nullable Saved load() {
        try {
            String[] texts = {"", "", "", "git", ""};
            boolean[] flags = new boolean[2];
            JsonText.read(setting.file().toString(), setting.read(), (name, p) -> {
                switch (name) {
                    case "to" -> texts[0] = JsonText.string(name, p);
                    case "remote" -> texts[1] = JsonText.string(name, p);
                    case "branch" -> texts[2] = JsonText.string(name, p);
                    case "transport" -> texts[3] = JsonText.string(name, p);
                    case "store" -> texts[4] = JsonText.string(name, p);
                    case "push" -> flags[0] = p.getValueAsBoolean();
                    case "automatic" -> flags[1] = p.getValueAsBoolean();
                    default -> {
                        // written by a newer version
                    }
                }
            });
            boolean here = texts[4].equals(store.toString());
            Target target = new Target(texts[0], flags[0], texts[1], texts[2], texts[3]);
            return new Saved(target, flags[1] && here, flags[1] && !here);
        } catch (NoSuchFileException e) {
            return null;
        } catch (LineException | IOException e) {
            throw new UsageException(
                    setting.file() + " cannot be read; export --to or --remote replaces it: " + e.getMessage());
        }
    }

    void save(Target target, boolean automatic) {
        setting.write(JsonText.object(g -> {
            if (target.remote().isEmpty()) {
                g.writeStringField("to", target.folder());
                g.writeBooleanField("push", target.push());
            } else {
                g.writeStringField("remote", target.remote());
                g.writeStringField("branch", target.branch());
                g.writeStringField("transport", target.transport());
            }
            g.writeBooleanField("automatic", automatic);
            g.writeStringField("store", store.toString());
        }));
    }

    /** The export to a target. */
    GitExport exportTo(Target target) {
        try {
            if (target.remote().isEmpty()) {
                return GitExport.toWorkTree(store, Path.of(target.folder()), target.push());
            }
            String token = environment.variables().getOrDefault("XMEM_GIT_TOKEN", "");
            SyncRemote.silenceJGit();
            return GitExport.toBranch(
                    store,
                    target.remote(),
                    target.branch(),
                    SyncSubcommand.transport(target.transport()),
                    null,
                    token.isEmpty() ? null : token);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
