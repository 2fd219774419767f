package dev.xmem.cli;

import dev.xmem.cli.doctor.Place;
import dev.xmem.core.StoreFolders;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process environment, and the default paths that follow from it.
 *
 * @param variables the environment variables
 * @param userHome the user's home directory, unless {@code HOME} names another
 * @param folder the working directory
 * @param terminal whether standard input and output are a terminal
 */
record Environment(Map<String, String> variables, Path userHome, Path folder, boolean terminal) {
    static Environment ofProcess() {
        Path home = Path.of(System.getProperty("user.home", "."));
        return new Environment(System.getenv(), home, Path.of("").toAbsolutePath(), atTerminal());
    }

    /** The store's directory from {@code XMEM_STORE}; null if it is not set. */
    @Nullable Path store() {
        String named = variables.getOrDefault("XMEM_STORE", "");
        return named.isEmpty() ? null : path(named);
    }

    /** The journal of the memory skill. */
    Path journal() {
        String named = variables.getOrDefault("MEMORY_FILE", "");
        return named.isEmpty() ? home().resolve(".codex").resolve("memory.jsonl") : path(named);
    }

    /** The project's directives. */
    Path localDirectives() {
        return projectFolder().resolve("docs").resolve("memory").resolve("memories.ndjson");
    }

    /** The project of the working directory: the root of the git working tree, or the working directory. */
    Path projectFolder() {
        for (Path up = folder; up != null; up = up.getParent()) {
            if (Files.exists(up.resolve(".git"))) {
                return up;
            }
        }
        return folder;
    }

    /** The user's directives for all projects. */
    Path globalDirectives() {
        return home().resolve(".skill_master").resolve("memory").resolve("memories.ndjson");
    }

    /** The user's own store, also if the variable {@code XMEM_USER_STORE} says that no other store asks it. */
    Path userStore() {
        Path asked = StoreFolders.user(variables);
        Map<String, String> others = new HashMap<>(variables);
        others.remove(StoreFolders.USER_VARIABLE);
        Path own = asked == null ? StoreFolders.user(others) : asked;
        return own == null ? home().resolve(".local/share/xmem") : own;
    }

    /**
     * The store of a command that names none: that of {@code XMEM_STORE}, else that of the project of the working
     * directory, else the user's own; null if there is none.
     */
    @Nullable Path foundStore() {
        Path named = store();
        if (named != null) {
            return named;
        }
        try {
            Path project = StoreFolders.project(folder);
            if (StoreOpener.isStore(project)) {
                return project;
            }
        } catch (IOException e) {
            // There is no working directory that could be read.
        }
        return Files.isDirectory(userStore()) ? userStore() : null;
    }

    /** Where the agents of this environment have their settings. */
    Place place() {
        return new Place(variables, home(), projectFolder());
    }

    /** The user's home directory. */
    Path home() {
        String named = variables.getOrDefault("HOME", "");
        return named.isEmpty() ? userHome : resolved(folder, named);
    }

    /** Resolves a path of the command line relative to the working directory. */
    Path resolve(String named) {
        return resolved(folder, named);
    }

    /** The file that an option names, in a folder that exists; checked before the work. */
    Path output(String option, String named) {
        Path file = resolve(named);
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw new UsageException(option + " must name a file in a folder that exists, not \"" + named
                    + "\"; create its folder first");
        }
        return file;
    }

    /** Resolves a path that no shell has expanded, relative to the working directory or the home directory. */
    private Path path(String named) {
        return named.startsWith("~/") ? resolved(home(), named.substring(2)) : resolved(folder, named);
    }

    private static Path resolved(Path base, String named) {
        try {
            return base.resolve(named);
        } catch (InvalidPathException e) {
            throw new UsageException(noPath(e));
        }
    }

    /** What to do about a path that the locale cannot express. */
    static String noPath(InvalidPathException e) {
        return "not usable as a path here: " + e.getMessage()
                + ". For other letters than those of ASCII, use a UTF-8 locale, such as LC_ALL=C.UTF-8";
    }

    /** JDK 22 and later may return a console without a terminal; {@code Console.isTerminal} tells them apart. */
    private static boolean atTerminal() {
        Object console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (Boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return false;
        }
    }
}
