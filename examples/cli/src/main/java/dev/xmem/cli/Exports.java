package dev.xmem.cli;

import dev.xmem.git.GitExport;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a store is exported to, and whether that is done after each command that changes it. It is remembered in the store's
 * {@code .xmem/export-to}, a JSON object with the store's folder: a copy of the store, or one that somebody else made, does not
 * export by itself before that was said of it.
 */
final class Exports {
    private final Path store;
    private final Surroundings around;
    private final Remembered remembered;

    Exports(Path store, Surroundings around) {
        this.store = real(store);
        this.around = around;
        this.remembered = Remembered.of(store, "export-to");
    }

    private static Path real(Path store) {
        try {
            return store.toRealPath();
        } catch (IOException e) {
            return store.toAbsolutePath().normalize();
        }
    }

    /**
     * A place to export to.
     *
     * @param folder a folder in a clone; empty where it is a branch of a remote
     * @param push whether the clone is pushed
     * @param remote the remote; empty where it is a clone
     * @param branch the branch there
     * @param transport who speaks to the remote
     */
    record Place(String folder, boolean push, String remote, String branch, String transport) {}

    /**
     * What is remembered.
     *
     * @param automatic whether it is exported to after each command that changes the store
     * @param moved whether that was said of a store in another folder, and has to be said again
     */
    record Known(Place place, boolean automatic, boolean moved) {}

    /** What is remembered; null if nothing is. */
    @Nullable Known known() {
        try {
            String[] texts = {"", "", "", "git", ""};
            boolean[] flags = new boolean[2];
            Json.read(remembered.file().toString(), remembered.read(), (name, p) -> {
                switch (name) {
                    case "to" -> texts[0] = Json.string(name, p);
                    case "remote" -> texts[1] = Json.string(name, p);
                    case "branch" -> texts[2] = Json.string(name, p);
                    case "transport" -> texts[3] = Json.string(name, p);
                    case "store" -> texts[4] = Json.string(name, p);
                    case "push" -> flags[0] = p.getValueAsBoolean();
                    case "automatic" -> flags[1] = p.getValueAsBoolean();
                    default -> {
                        // of a newer version
                    }
                }
            });
            boolean here = texts[4].equals(store.toString());
            Place place = new Place(texts[0], flags[0], texts[1], texts[2], texts[3]);
            return new Known(place, flags[1] && here, flags[1] && !here);
        } catch (NoSuchFileException e) {
            return null;
        } catch (LineException | IOException e) {
            throw new UsageException(
                    remembered.file() + " cannot be read; export --to or --remote writes it anew: " + e.getMessage());
        }
    }

    void remember(Place place, boolean automatic) {
        remembered.write(Json.object(g -> {
            if (place.remote().isEmpty()) {
                g.writeStringField("to", place.folder());
                g.writeBooleanField("push", place.push());
            } else {
                g.writeStringField("remote", place.remote());
                g.writeStringField("branch", place.branch());
                g.writeStringField("transport", place.transport());
            }
            g.writeBooleanField("automatic", automatic);
            g.writeStringField("store", store.toString());
        }));
    }

    /** The export to a place. */
    GitExport to(Place place) {
        try {
            if (place.remote().isEmpty()) {
                return GitExport.toWorkTree(store, Path.of(place.folder()), place.push());
            }
            String token = around.variables().getOrDefault("XMEM_GIT_TOKEN", "");
            Remotes.quiet();
            return GitExport.toBranch(
                    store,
                    place.remote(),
                    place.branch(),
                    SyncCommand.transport(place.transport()),
                    null,
                    token.isEmpty() ? null : token);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
