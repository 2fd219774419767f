package dev.xmem.hooks;

import dev.xmem.XMemStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hook program of a coding agent: {@code java -jar xmem-hook.jar --store DIR [ARGUMENT...]}. Reads one event and
 * writes the response. It fails open: errors go to standard error and the exit code is 0, unless the agent's dialect
 * speaks by another. The script {@code xmem-hook} starts it where no resident answers; then it leaves one behind.
 */
public final class HookProgram {
    /** The limit of a guard in a new process, and of the MCP server: above the default of a warm process. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    /** No agent takes this code of a wrong command line for an answer. */
    private static final int MISUSED = 64;

    private static final int MAX_EVENT_BYTES = 64 << 20;

    private static final String USAGE = """
            usage: java -jar xmem-hook.jar --store DIR [--agent AGENT]
              handles one event of a coding agent: JSON on standard input, the response on standard output""";

    private HookProgram() {}

    public static void main(String[] args) {
        if (args.length < 2 || !args[0].equals("--store") || args[1].isBlank()) {
            System.err.println(USAGE);
            System.exit(MISUSED);
        }
        Path directory = Path.of(args[1]);
        List<String> arguments = Arrays.asList(args).subList(2, args.length);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int code = run(directory, arguments, System.in, out, System.err, Unanswered.ofProcess());
        ResidentStarter.startIfMissing(directory);
        System.exit(code);
    }

    static void run(Path directory, InputStream in, PrintStream out) {
        run(directory, List.of(), in, out, System.err, null);
    }

    /**
     * Handles one event.
     *
     * @param unanswered the resident that was asked before; null if none was
     * @return the exit code
     */
    private static int run(
            Path directory,
            List<String> arguments,
            InputStream in,
            PrintStream out,
            PrintStream err,
            @Nullable Unanswered unanswered) {
        int code = 0;
        try {
            byte[] event = in.readNBytes(MAX_EVENT_BYTES);
            if (unanswered != null && !unanswered.isOver(directory)) {
                return code;
            }
            HookTurn turn = HookTurn.await();
            try (XMemStore store = HookService.open(directory)) {
                HookResult answer = unanswered != null && unanswered.wasRecorded(store, event, arguments)
                        ? HookResult.silent("")
                        : HookService.answer(store, event, arguments);
                code = answer.exitCode();
                out.print(answer.out());
                out.flush();
                err.print(answer.err());
                store.guard().flush(HookService.WRITE_LIMIT);
            } finally {
                turn.close();
            }
        } catch (IOException | RuntimeException e) {
            err.println("xmem: " + e.getMessage());
        }
        return code;
    }
}
