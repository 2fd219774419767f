package dev.xmem.core.answer.directive;

import static dev.xmem.core.answer.directive.MemoryLines.START;

import dev.xmem.Directive;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Stores of directives, and what tests do with them. */
abstract class DirectivesFixture {
    static final Directive.Triple PUSH = new Directive.Triple("push to main", "is", "forbidden");

    @TempDir
    Path folder;

    Instant now = START.plus(Duration.ofDays(1));

    XMem.Builder builder(String store) {
        return XMem.builder(folder.resolve(store)).clock(() -> now);
    }

    XMemStore open() {
        return builder("store").open();
    }

    Path memories() {
        return folder.resolve("store/data/memories.ndjson");
    }

    /** Lines such as {@code 1 local rule build|tool|maven}, one after the other. */
    void write(String... said) {
        List<String> lines = new ArrayList<>();
        for (String line : said) {
            lines.add(MemoryLines.line("m-" + (lines.size() + 1), 1, "", line));
        }
        MemoryLines.append(memories(), lines);
    }

    static String shown(Directive directive) {
        String strength = directive.strength() == 1 ? "" : " x" + directive.strength();
        return directive.triple().object() + strength + (directive.tags().contains("conflict") ? " conflict" : "");
    }

    /** Starts two processes that reinforce one directive, and lets them go at the same time. */
    void twoProcesses(Path first, Path second, Path global) throws Exception {
        XMem.Builder builder = XMem.builder(first).clock(InstantSource.fixed(now));
        try (XMemStore store = (global == null ? builder : builder.globalDirectives(global)).open()) {
            store.remember(
                    global == null ? Directive.rule(PUSH) : Directive.rule(PUSH).global());
        }
        String file = global == null ? "" : global.toString();
        try (Jvm one = Jvm.start(folder, List.of(), Remembering.class, first, folder.resolve("go"), "one", file);
                Jvm other =
                        Jvm.start(folder, List.of(), Remembering.class, second, folder.resolve("go"), "other", file)) {
            one.makes(folder.resolve("ready-one"));
            other.makes(folder.resolve("ready-other"));
            Files.createFile(folder.resolve("go"));
            one.succeeds();
            other.succeeds();
        }
    }

    /** Another process: says a directive again and again. */
    static final class Remembering {
        static final int TIMES = 100;

        private Remembering() {}

        public static void main(String[] arguments) throws IOException {
            XMem.Builder builder =
                    XMem.builder(Path.of(arguments[0])).clock(InstantSource.fixed(START.plus(Duration.ofDays(1))));
            boolean global = !arguments[3].isEmpty();
            try (XMemStore store = (global ? builder.globalDirectives(Path.of(arguments[3])) : builder).open()) {
                Files.createFile(Path.of(arguments[1]).resolveSibling("ready-" + arguments[2]));
                Jvm.await(Path.of(arguments[1]));
                for (int i = 0; i < TIMES; i++) {
                    say(store, global ? Directive.rule(PUSH).global() : Directive.rule(PUSH));
                }
            }
        }
    }

    /** Says a directive, as often as it takes to get the lock. */
    static void say(XMemStore store, Directive.Draft draft) {
        while (true) {
            try {
                store.remember(draft);
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }
}
