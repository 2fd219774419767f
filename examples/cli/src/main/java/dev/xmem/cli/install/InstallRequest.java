package dev.xmem.cli.install;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to install.
 *
 * @param agent the name of the agent
 * @param user whether for all projects of the user
 * @param base the user's home, or the project
 * @param variables the environment variables
 * @param hook the script of the hooks
 * @param store the directory of the store
 * @param mcpJar the jar of the MCP server; null to install none
 * @param uninstall whether to remove what was installed
 */
public record InstallRequest(
        String agent,
        boolean user,
        Path base,
        Map<String, String> variables,
        Path hook,
        Path store,
        @Nullable Path mcpJar,
        boolean uninstall) {
    public InstallRequest {
        variables = Map.copyOf(variables);
    }
}
