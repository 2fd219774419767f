package dev.xmem.core.adapters;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs processes for an agent, with a memory at each of them. */
final class GuardedProcess {
    private final ToolGuard guard;
    private final String session;

    GuardedProcess(ToolGuard guard, String session) {
        this.guard = guard;
        this.session = session;
    }

    /** What the agent reads: the output of the process, then the advice. */
    String run(List<String> argv) throws InterruptedException {
        ToolCall call = ToolCall.command(argv).session(session);
        Advice before = guard.before(call);
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code == 0) {
                guard.succeeded(call);
                return before.text() + output;
            }
            return output + guard.failed(call, ToolError.exit(code, output)).text();
        } catch (IOException e) { // no such program is a failure like any other
            return e.getMessage() + guard.failed(call, ToolError.thrown(e)).text();
        }
    }
}
