package dev.xmem.hooks;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The hook program of a coding agent: {@code java -jar xmem-hook.jar --store DIR}. Reads one event and writes the
 * response. It fails open: errors go to standard error and the exit code is 0 for every event.
 */
public final class HookProgram {
    /** The limit of a guard in a new process, and of the MCP server: above the default of a warm process. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    private static final String USAGE = """
            usage: java -jar xmem-hook.jar --store DIR
              handles one event of a coding agent: JSON on standard input, the response on standard output""";

    private HookProgram() {}

    public static void main(String[] args) {
        if (args.length == 2 && args[0].equals("--store") && !args[1].isBlank()) {
            run(Path.of(args[1]), System.in, new PrintStream(System.out, false, StandardCharsets.UTF_8));
            return;
        }
        System.err.println(USAGE);
        System.exit(2);
    }

    static void run(Path directory, InputStream in, PrintStream out) {
        try {
            HookEvent event = HookEvent.read(in);
            XMem.Builder builder = XMem.builder(directory).guardLimit(LIMIT).sharedSessions();
            if (LessonHints.ON) {
                builder.lessonHint(LessonHints::afterSuccess);
            }
            try (XMemStore store = builder.open()) {
                String answer = new HookHandler(store).answer(event);
                if (!answer.isEmpty()) {
                    out.println(answer);
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("xmem: " + e.getMessage());
        }
        out.flush();
    }
}
