package dev.xmem.mcp;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The hook program of a coding agent: {@code java -jar xmem-mcp.jar hook --store DIR}. Reads one event and writes the
 * response. It fails open: errors go to standard error and the exit code is always 0.
 */
final class HookProgram {
    /** Above the default guard limit, because every event starts a new JVM. */
    static final Duration LIMIT = Duration.ofSeconds(2);

    private HookProgram() {}

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
