package dev.xmem.benchmarks;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;

/**
 * The JVM that {@link ColdGuard} starts: asks the guard of a store once before a call and once after its failure, and
 * prints both statuses and times.
 */
final class ColdGuardChild {
    private ColdGuardChild() {}

    public static void main(String[] args) {
        long begin = System.nanoTime();
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            long opened = System.nanoTime();
            ToolCall call = ToolCall.shell(ColdGuard.CALL).session("session-" + args[1]);
            ToolGuard guard = store.guard();
            long created = System.nanoTime();
            Advice before = args[2].equals("before") ? guard.before(call) : null;
            long asked = System.nanoTime();
            Advice failed = guard.failed(call, ToolError.exit(128, ColdGuard.ERROR));
            long answered = System.nanoTime();
            System.out.printf(
                    "%s %s %.1f %.1f %.1f %.1f%n",
                    before == null ? "-" : told(before),
                    told(failed),
                    (opened - begin) / 1e6,
                    (created - opened) / 1e6,
                    (asked - created) / 1e6,
                    (answered - asked) / 1e6);
        }
    }

    private static String told(Advice advice) {
        return advice.isEmpty() ? advice.status().name() : "told";
    }
}
