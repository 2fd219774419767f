package dev.xmem.core;

import dev.xmem.Layer;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The folders where programs keep stores by default. The library uses none of them by itself: a program asks for them
 * and passes them on. Stateless.
 */
public final class StoreFolders {
    /** The environment variable that names the user's store; {@code none} means that there is none. */
    public static final String USER_VARIABLE = "XMEM_USER_STORE";

    /** The environment variable that names the team's store. */
    public static final String TEAM_VARIABLE = "XMEM_TEAM_STORE";

    private static final String NONE = "none";
    private static final String FOLDER = ".xmem-store";
    private static final String GIT = ".git";
    private static final int MAX_LEVELS = 128;
    private static final int MAX_POINTER_BYTES = 4096;
    private static final NativeFileSystem FILES = new NativeFileSystem();

    private StoreFolders() {}

    /**
     * Returns the folder of the store of the project that a working directory is in: {@code .xmem-store} in the top of
     * its git repository. All worktrees of a repository have the store of its main worktree, or, if the repository is
     * bare, one inside it. Outside a repository it is in the working directory itself. Creates nothing, and does not
     * run git.
     *
     * <p>A {@code .git} that belongs to another user than the working directory, is a link, or points to a folder that
     * does not point back to it is not followed.
     *
     * @throws IOException if the working directory does not exist or cannot be read
     */
    public static Path project(Path workingDirectory) throws IOException {
        Path start =
                Objects.requireNonNull(workingDirectory, "workingDirectory").toRealPath();
        Path folder = start;
        for (int level = 0; folder != null && level < MAX_LEVELS; level++, folder = folder.getParent()) {
            Path git = folder.resolve(GIT);
            boolean pointer = FILES.isPlain(git);
            if (pointer || FILES.isFolder(git) && FILES.exists(git.resolve("HEAD"))) {
                if (!FILES.haveOneOwner(git, start)) {
                    return start.resolve(FOLDER);
                }
                Path shared = pointer ? mainOf(git) : null;
                return (shared == null ? folder : shared).resolve(FOLDER);
            }
        }
        return start.resolve(FOLDER);
    }

    /**
     * Returns the folder that all worktrees of a repository share, given the {@code .git} file of a linked one; null if
     * it is not linked as git does it.
     */
    private static @Nullable Path mainOf(Path pointer) throws IOException {
        Path worktree = pointed(pointer, "gitdir: ");
        if (worktree == null || !FILES.isFolder(worktree)) {
            return null;
        }
        Path back = pointed(worktree.resolve("gitdir"), "");
        Path common = pointed(worktree.resolve("commondir"), "");
        if (back == null || common == null || !back.equals(pointer) || !FILES.isFolder(common)) {
            return null;
        }
        boolean inPlace = common.resolve("worktrees").equals(worktree.getParent());
        if (!inPlace || !FILES.exists(common.resolve("HEAD")) || !FILES.haveOneOwner(common, pointer)) {
            return null;
        }
        Path main = common.getParent();
        return main != null && common.endsWith(GIT) ? main : common;
    }

    /** The real path that the first line of a small file names, relative to its folder; null if it names none. */
    private static @Nullable Path pointed(Path file, String prefix) throws IOException {
        FileSystem.Stat stat = FILES.isPlain(file) ? FILES.stat(file) : null;
        if (stat == null || stat.length() > MAX_POINTER_BYTES) {
            return null;
        }
        try {
            String line = new String(FILES.read(file, 0, (int) stat.length()), StandardCharsets.UTF_8).strip();
            if (!line.startsWith(prefix) || line.length() == prefix.length() || line.indexOf('\n') >= 0) {
                return null;
            }
            Path named = file.resolveSibling(line.substring(prefix.length()));
            return FILES.exists(named) ? named.toRealPath() : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /**
     * Returns the folder of the user's own store: the value of {@value #USER_VARIABLE}, else {@code xmem} in
     * {@code XDG_DATA_HOME}, else {@code .local/share/xmem} in {@code HOME}. Relative values, which the XDG Base
     * Directory Specification forbids, count as missing.
     *
     * @param environment the variables of the process
     * @return null if no variable gives it, or {@value #USER_VARIABLE} is {@code none}
     */
    public static @Nullable Path user(Map<String, String> environment) {
        if (!Objects.requireNonNull(environment, "environment")
                .getOrDefault(USER_VARIABLE, "")
                .isEmpty()) {
            return absolute(environment, USER_VARIABLE, "");
        }
        Path data = absolute(environment, "XDG_DATA_HOME", "xmem");
        return data == null ? absolute(environment, "HOME", ".local/share/xmem") : data;
    }

    private static @Nullable Path absolute(Map<String, String> environment, String variable, String below) {
        String value = environment.getOrDefault(variable, "");
        if (value.isEmpty() || value.equals(NONE)) {
            return null;
        }
        try {
            Path path = Path.of(value);
            return path.isAbsolute() ? path.resolve(below).normalize() : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /**
     * Returns a builder of a store that also asks the user's store, and the team's if {@value #TEAM_VARIABLE} names
     * one: what hooks, servers and commands open.
     *
     * @param store the folder of the project's store
     * @param environment the variables of the process
     */
    public static XMem.Builder layered(Path store, Map<String, String> environment) {
        XMem.Builder builder = XMem.builder(store);
        Path user = user(environment);
        if (user != null) {
            builder.alsoAsk(Layer.USER, XMem.builder(user));
        }
        Path team = absolute(environment, TEAM_VARIABLE, "");
        if (team != null) {
            builder.alsoAsk(Layer.TEAM, XMem.builder(team));
        }
        return builder;
    }
}
