package dev.xmem.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * An installed command line of a hook: the script, the store, and options.
 *
 * @param line the whole line, for a shell
 * @param script the script; null if the line has variables or is something else
 * @param store the store's directory; null likewise
 */
record HookCommand(
        String agent,
        Path settings,
        String line,
        @Nullable Path script,
        @Nullable Path store) {
    static HookCommand of(String agent, Path settings, String line, Place place) {
        List<String> words = words(line);
        boolean plain = words.size() >= 2
                && words.get(0).endsWith("xmem-hook")
                && words.subList(0, 2).stream().noneMatch(word -> word.contains("$") || word.startsWith("~"));
        try {
            return plain
                    ? new HookCommand(
                            agent,
                            settings,
                            line,
                            place.project().resolve(words.get(0)).normalize(),
                            place.project().resolve(words.get(1)).normalize())
                    : new HookCommand(agent, settings, line, null, null);
        } catch (InvalidPathException e) {
            return new HookCommand(agent, settings, line, null, null);
        }
    }

    /** The words of the first command of a line of a POSIX shell. A word in double quotes keeps its variables. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0 && c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                begun = true;
            } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
                begun = true;
            } else if (quote == 0 && (Character.isWhitespace(c) || "|&;#<>".indexOf(c) >= 0)) {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
                if (!Character.isWhitespace(c)) {
                    return words;
                }
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }

    /** Examines the script and the jar that it starts. */
    List<Finding> examine(Place place) {
        String link = agent + " script";
        if (script == null) {
            return List.of(Finding.warning(
                    link,
                    settings + " runs a line that only a shell can resolve: " + line,
                    "see whether the test event is answered"));
        }
        if (!Files.isRegularFile(script)) {
            return List.of(Finding.problem(
                    link,
                    settings + " runs " + script + ", which does not exist",
                    "run xmem install " + agent + " again, from where the script is"));
        }
        if (!Files.isExecutable(script)) {
            return List.of(Finding.problem(link, script + " is not executable", "run chmod +x '" + script + "'"));
        }
        return List.of(Finding.ok(link, script.toString()), jar(script, place));
    }

    /** The jar, where the script looks for it. */
    private static Finding jar(Path script, Place place) {
        Path jar = script.resolveSibling("xmem-hook.jar");
        if (!place.variable("XMEM_JAR").isEmpty()) {
            jar = place.project().resolve(place.variable("XMEM_JAR"));
        } else if (!Files.isRegularFile(jar)) {
            Path built = script.resolveSibling("../hooks/target/xmem-hook.jar").normalize();
            jar = Files.isRegularFile(built) ? built : jar;
        }
        if (!Files.isRegularFile(jar)) {
            return Finding.problem("jar", "there is no " + jar, "build it, or set XMEM_JAR to its path");
        }
        try (JarFile open = new JarFile(jar.toFile())) {
            return open.getEntry("dev/xmem/hooks/HookProgram.class") == null
                    ? Finding.problem("jar", jar + " is not the jar of the hooks", "build it again")
                    : Finding.ok("jar", jar.toString());
        } catch (IOException e) {
            return Finding.problem("jar", jar + " cannot be read: " + e.getMessage(), "build it again");
        }
    }
}
