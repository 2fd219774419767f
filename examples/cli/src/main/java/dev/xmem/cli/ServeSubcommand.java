package dev.xmem.cli;

import dev.xmem.XMemStore;
import dev.xmem.hooks.ResidentProgram;
import dev.xmem.mcp.McpHttpServer;
import dev.xmem.mcp.TokenFile;
import dev.xmem.page.PageServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
            "--open shows the store in a browser: what failed, what was told, what helped, and what needs a person. The"
                    + " page is on the loopback interface and asks for the token in .xmem/page-token; --open needs none.",
            "Without --store, the store is that of XMEM_STORE, else that of the hooks in the user's settings, else of"
                    + " those in the project's, else that of other commands. Its path is printed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem serve --open",
            "  xmem serve --page 8766 --read-only",
            "  xmem serve --idle 600",
            "  xmem serve --http 8765"
        })
final class ServeSubcommand extends Subcommand {
    private static final int MAX_PORT = 65_535;

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

    @Option(names = "--open", description = "Serve the page of the store, and open it in a browser.")
    boolean open;

    @Option(
            names = "--page",
            paramLabel = "PORT",
            description = "Serve the page of the store on this port of 127.0.0.1; 0 for any.")
    @Nullable Integer pagePort;

    @Option(
            names = "--page-origin",
            paramLabel = "URL",
            description =
                    "The origin of a proxy with TLS that offers the page to others, such as https://memory.example.org.")
    @Nullable URI pageOrigin;

    @Option(names = "--read-only", description = "Let the page change nothing.")
    boolean readOnly;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (idleSeconds < 1) {
            throw new UsageException("--idle takes a number of seconds above 0, not " + idleSeconds);
        }
        Path folder = root.stores().ofHooks();
        Duration idle = Duration.ofSeconds(idleSeconds);
        Consumer<String> say = line -> root.terminal().notice(root.json, line);
        Integer port = httpPort;
        checkPort("--http", port);
        checkPort("--page", pagePort);
        if (pageOrigin != null && !open && pagePort == null || readOnly && !open && pagePort == null) {
            throw new UsageException("--page-origin and --read-only are for the page: add --page PORT or --open");
        }
        PageServer.Options options = options();
        boolean page = open || pagePort != null;
        boolean served = port == null && !page
                ? ResidentProgram.serve(folder, idle, say)
                : ResidentProgram.serve(folder, idle, say, store -> {
                    Closeable mcp = port == null ? () -> {} : http(store, folder, port, say);
                    try {
                        Closeable shown = page ? page(store, folder, options, say) : () -> {};
                        return () -> {
                            shown.close();
                            mcp.close();
                        };
                    } catch (IOException | RuntimeException e) {
                        mcp.close();
                        throw e;
                    }
                });
        return served ? Main.OK : Main.FAILED;
    }

    private static void checkPort(String option, @Nullable Integer port) {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new UsageException(option + " takes a port from 0 to " + MAX_PORT + ", not " + port);
        }
    }

    private PageServer.Options options() {
        try {
            return new PageServer.Options(pagePort == null ? 0 : pagePort, pageOrigin, readOnly);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private Closeable page(XMemStore store, Path folder, PageServer.Options options, Consumer<String> say)
            throws IOException {
        Path token = folder.resolve(".xmem").resolve("page-token");
        PageServer server = PageServer.start(store, folder, TokenFile.readOrCreate(token), options);
        say.accept("The page is " + server.uri() + "; the token is in " + token + ".");
        if (!open) {
            return server::close;
        }
        String address = server.entry().toString();
        // Not the address itself: all users of a machine see the arguments of a process.
        Path file = Files.createTempFile(token.getParent(), "page-", ".html");
        Files.writeString(file, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + address + "\">\n");
        say.accept(Browser.open(file.toUri().toString()) ? "Opening it." : "Open it, once, with " + address);
        return () -> {
            server.close();
            Files.deleteIfExists(file);
        };
    }

    private static Closeable http(XMemStore store, Path folder, int port, Consumer<String> say) throws IOException {
        Path token = TokenFile.of(folder);
        McpHttpServer server = McpHttpServer.start(store, port, TokenFile.readOrCreate(token));
        say.accept("Serving MCP on " + server.uri() + "; the token is in " + token + ".");
        return server::close;
    }
}
