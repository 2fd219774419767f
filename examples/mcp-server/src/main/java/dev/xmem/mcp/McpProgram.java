package dev.xmem.mcp;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.StoreFolders;
import dev.xmem.core.XMem;
import dev.xmem.hooks.HookProgram;
import dev.xmem.hooks.LessonHints;
import dev.xmem.hooks.Resident;
import dev.xmem.hooks.ResidentTurns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The MCP server: {@code java -jar xmem-mcp.jar --store DIR}. Ends when its input has ended, at most two seconds later
 * (docs/adr/0044-mcp-sessions.md). With {@code --http} it serves a port instead, until it is ended.
 */
public final class McpProgram {
    private static final String USAGE = """
            usage: java -jar xmem-mcp.jar --store DIR [--http PORT]
              serves MCP on standard input and output, or with --http on a port of the loopback interface""";
    /** How long a request may take after the input has ended; more than those behind it wait for its end. */
    private static final long GRACE_MILLIS = 15_000;

    private static final long CLOSE_MILLIS = 1_000;

    private static final int MAX_PORT = 65_535;

    private McpProgram() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length == 1 && args[0].equals("--help")) {
            System.err.println(USAGE);
            return;
        }
        String wrong = wrong(args);
        if (!wrong.isEmpty()) {
            System.err.println("xmem-mcp: " + wrong + "\n" + USAGE);
            System.exit(2);
        }
        String port = value(args, "--http");
        Path directory = HookProgram.directory("xmem-mcp", String.valueOf(value(args, "--store")));
        AtomicReference<XMemStore> opened = new AtomicReference<>();
        XMem.Builder builder = StoreFolders.layered(directory, System.getenv())
                .guardLimit(HookProgram.LIMIT)
                .sharedSessions();
        if (LessonHints.ON) {
            builder.lessonHint(id -> opened.get()
                    .find(id)
                    .map(failure -> LessonHints.byTool(LessonHints.tool(failure), id))
                    .orElse(""));
        }
        try (XMemStore store = builder.open()) {
            opened.set(store);
            ResidentTurns hooks = Resident.start(store, directory);
            try {
                if (port != null) {
                    serveHttp(store, directory, Integer.parseInt(port));
                } else {
                    new StdioServer(McpEndpoint.of(store)).serve(System.in, System.out, GRACE_MILLIS);
                    haltAfter(CLOSE_MILLIS);
                }
            } finally {
                hooks.close();
            }
        } catch (XMemException | IOException | IllegalArgumentException e) {
            System.err.println("xmem-mcp: " + e.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    /** What is wrong with the arguments; empty if nothing is. */
    static String wrong(String[] args) {
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].equals("--store") && !args[i].equals("--http")) {
                return "unknown argument " + args[i];
            } else if (i + 1 == args.length || args[i + 1].isBlank()) {
                return args[i] + " needs a value";
            }
        }
        String port = value(args, "--http");
        if (value(args, "--store") == null) {
            return "--store DIR is missing";
        } else if (port != null && (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT)) {
            return "--http takes a port from 0 to " + MAX_PORT + ", not " + port;
        }
        return "";
    }

    private static @Nullable String value(String[] args, String name) {
        int at = List.of(args).indexOf(name);
        return at < 0 ? null : args[at + 1];
    }

    /** Serves until the process is ended; then closes the store. */
    private static void serveHttp(XMemStore store, Path directory, int port) throws IOException, InterruptedException {
        Path token = TokenFile.of(directory);
        McpHttpServer server = McpHttpServer.start(store, port, TokenFile.readOrCreate(token));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            store.close();
        }));
        System.err.println("xmem-mcp: serving " + server.uri() + "; the token is in " + token);
        Thread.currentThread().join();
    }

    /** Ends the process then, even if a request or the closing of the store does not end. The store survives that. */
    private static void haltAfter(long millis) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(millis);
                Runtime.getRuntime().halt(0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
