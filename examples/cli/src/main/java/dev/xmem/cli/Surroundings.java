package dev.xmem.cli;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the program, and where its files are by default for that.
 *
 * @param variables the environment variables
 * @param userHome the user's folder where {@code HOME} does not say another
 * @param folder the working directory
 * @param terminal whether a person sits at both ends of the streams
 */
record Surroundings(Map<String, String> variables, Path userHome, Path folder, boolean terminal) {
    static Surroundings ofProcess() {
        Path home = Path.of(System.getProperty("user.home", "."));
        return new Surroundings(System.getenv(), home, Path.of("").toAbsolutePath(), atTerminal());
    }

    /** The store's folder, if the environment names one. */
    @Nullable Path store() {
        String named = variables.getOrDefault("XMEM_STORE", "");
        return named.isEmpty() ? null : path(named);
    }

    /** The journal that the shell scripts of the memory skill keep. */
    Path journal() {
        String named = variables.getOrDefault("MEMORY_FILE", "");
        return named.isEmpty() ? home().resolve(".codex").resolve("memory.jsonl") : path(named);
    }

    /** The directives of this project: under the top of the git working tree, or under the working directory. */
    Path localDirectives() {
        Path top = folder;
        for (Path up = folder; up != null; up = up.getParent()) {
            if (Files.exists(up.resolve(".git"))) {
                top = up;
                break;
            }
        }
        return top.resolve("docs").resolve("memory").resolve("memories.ndjson");
    }

    /** The user's directives for all projects. */
    Path globalDirectives() {
        return home().resolve(".skill_master").resolve("memory").resolve("memories.ndjson");
    }

    private Path home() {
        String named = variables.getOrDefault("HOME", "");
        return named.isEmpty() ? userHome : folder.resolve(named);
    }

    /** A path that no shell has looked at: from the working directory, or from the user's. */
    private Path path(String named) {
        return named.startsWith("~/") ? home().resolve(named.substring(2)) : folder.resolve(named);
    }

    /** Since JDK 22 there may be a console without a terminal; it has a method that tells. */
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
