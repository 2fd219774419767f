package dev.xmem.paths;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;

/**
 * Uses the main features of a store on the class path or the module path: {@code PathsDemo DIR}. Prints the results and
 * the modules of the JVM.
 */
public final class PathsDemo {
    private PathsDemo() {}

    public static void main(String[] args) {
        ToolCall call = ToolCall.shell("git push origin topic").session("monday");
        ToolError error = ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            store.recordFailure(Failure.of(call, error).patternAvoid("git push -u origin HEAD"));
            store.flush();
        }
        try (XMemStore store = XMem.open(Path.of(args[0]))) {
            Advice advice = store.recall(call.session("tuesday"), error);
            System.out.println("recalled: " + advice.text().contains("git push -u origin HEAD"));
            System.out.println("found: " + store.search(Query.words("upstream")).total());
            System.out.println("clean: " + store.verify().clean());
        }
        Module engine = XMem.class.getModule();
        System.out.println("engine: " + (engine.isNamed() ? engine.getName() : "class path"));
        System.out.println("modules: "
                + ModuleLayer.boot().modules().stream()
                        .map(Module::getName)
                        .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                        .sorted()
                        .toList());
    }
}
