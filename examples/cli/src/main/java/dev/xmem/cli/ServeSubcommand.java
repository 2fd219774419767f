package dev.xmem.cli;

import dev.xmem.XMemStore;
import dev.xmem.hooks.ResidentProgram;
import dev.xmem.mcp.McpHttpServer;
import dev.xmem.mcp.TokenFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** {@code xmem serve}: answers the hooks of the store, and MCP clients, in the foreground. */
@Command(
        name = "serve",
        description = {
            "Answers the hooks of coding agents from this process, until it is stopped. Without it, the first hook"
                    + " leaves such a process behind. With --http it also serves MCP on a port of the loopback interface.",
            "Without --store, the store is that of XMEM_STORE, else that of the hooks in the user's settings, else of"
                    + " those in the project's, else the user's own. Its path is printed."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem serve", "  xmem serve --idle 600", "  xmem serve --http 8765"})
final class ServeSubcommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    private final RootCommand root;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "2147483647",
            showDefaultValue = Visibility.NEVER,
            description = "End when no event came for this long; default: never.")
    int idleSeconds;

    @Option(
            names = "--http",
            paramLabel = "PORT",
            description = "Serve MCP over Streamable HTTP on this port of 127.0.0.1; 0 for any.")
    @Nullable Integer httpPort;

    ServeSubcommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = root.stores().ofHooks();
        Duration idle = Duration.ofSeconds(idleSeconds);
        Consumer<String> say = line -> root.terminal().notice(root.json, line);
        Integer port = httpPort;
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new UsageException("--http takes a port from 0 to " + MAX_PORT + ", not " + port);
        }
        boolean served = port == null
                ? ResidentProgram.serve(folder, idle, say)
                : ResidentProgram.serve(folder, idle, say, store -> http(store, folder, port, say));
        return served ? Main.OK : Main.FAILED;
    }

    private static Closeable http(XMemStore store, Path folder, int port, Consumer<String> say) throws IOException {
        Path token = TokenFile.of(folder);
        McpHttpServer server = McpHttpServer.start(store, port, TokenFile.readOrCreate(token));
        say.accept("Serving MCP on " + server.uri() + "; the token is in " + token + ".");
        return server::close;
    }
}
