package dev.xmem.hooks;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.dialect.EventFields;
import dev.xmem.hooks.dialect.HookDialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The hook program of a coding agent: {@code java -jar xmem-hook.jar --store DIR}. Reads one event and writes the
 * response. It fails open: errors go to standard error and the exit code is 0 for every event.
 */
public final class HookProgram {
    /** The limit of a guard in a new process, and of the MCP server: above the default of a warm process. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    private static final String USAGE = """
            usage: java -jar xmem-hook.jar --store DIR [--agent AGENT]
              handles one event of a coding agent: JSON on standard input, the response on standard output""";
    private static final int MAX_BYTES = 64 << 20;

    private HookProgram() {}

    public static void main(String[] args) {
        if (args.length < 2 || !args[0].equals("--store") || args[1].isBlank()) {
            System.err.println(USAGE);
            System.exit(1); // 2 would be an answer to some agents
        }
        List<String> options = List.of(args).subList(2, args.length);
        System.exit(run(Path.of(args[1]), options, System.in, System.out, System.err));
    }

    /** Opens the store, handles the event of the input, and returns the exit code. */
    static int run(Path directory, List<String> options, InputStream in, OutputStream out, PrintStream err) {
        HookResult result;
        try {
            byte[] event = in.readNBytes(MAX_BYTES);
            try (XMemStore store =
                    XMem.builder(directory).guardLimit(LIMIT).sharedSessions().open()) {
                result = handle(store, event, options);
            }
        } catch (IOException | RuntimeException e) {
            result = HookResult.silent(String.valueOf(e.getMessage()));
        }
        return write(result, out, err);
    }

    private static int write(HookResult result, OutputStream out, PrintStream err) {
        if (!result.err().isEmpty()) {
            err.println(result.err());
        }
        PrintStream text = new PrintStream(out, false, StandardCharsets.UTF_8);
        if (!result.out().isEmpty()) {
            text.println(result.out());
        }
        text.flush();
        return result.exitCode();
    }

    /**
     * Handles an event. Never throws: an event that cannot be handled has no output, the exit code 0 and a reason.
     *
     * @param store an open store with shared sessions
     * @param event the JSON that the agent wrote
     * @param options the arguments of the hook after the store's directory, such as {@code --agent codex}
     */
    public static HookResult handle(XMemStore store, byte[] event, List<String> options) {
        try {
            EventFields fields = EventFields.read(event);
            HookDialect dialect = options.isEmpty() ? HookDialect.of(fields) : HookDialect.of(agent(options));
            return new HookHandler(store, dialect).answer(dialect.read(fields));
        } catch (IOException | RuntimeException e) {
            return HookResult.silent(String.valueOf(e.getMessage()));
        }
    }

    private static String agent(List<String> options) throws IOException {
        if (options.size() != 2 || !options.get(0).equals("--agent")) {
            throw new IOException("the options of a hook are --agent AGENT, not " + String.join(" ", options));
        }
        return options.get(1);
    }
}
