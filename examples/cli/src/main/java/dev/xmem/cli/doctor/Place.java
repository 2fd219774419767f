package dev.xmem.cli.doctor;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where to look: the environment of the agent.
 *
 * @param variables the environment variables
 * @param home the user's home directory
 * @param project the directory of the project
 */
public record Place(Map<String, String> variables, Path home, Path project) {
    public Place {
        variables = Map.copyOf(variables);
    }

    String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** The folder of xmem in the user's cache. */
    Path cache() {
        String cache = variable("XDG_CACHE_HOME");
        return home.resolve(cache.startsWith("/") ? cache : ".cache").resolve("xmem");
    }
}
