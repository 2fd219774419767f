package dev.xmem.mcp;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The program that a coding agent runs at its hooks: {@code java -jar xmem-mcp.jar hook --store DIR}. Reads one event and
 * answers it. Whatever goes wrong goes to standard error, and the exit code is 0: a memory stands in no agent's way.
 */
final class HookProgram {
    /** A new process is slow at first, and the agent waits for it as it does for any hook. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private HookProgram() {}

    static void run(Path directory, InputStream in, PrintStream out) {
        try {
            HookEvent event = HookEvent.read(in);
            try (XMemStore store = XMem.builder(directory).guardLimit(LIMIT).open()) {
                String answer = new Hooks(store).answer(event);
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
