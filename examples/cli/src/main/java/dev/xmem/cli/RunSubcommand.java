package dev.xmem.cli;

import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.cli.run.GuardedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem run}: runs a program with a memory. Decision: docs/adr/0088-xmem-run.md. */
@Command(
        name = "run",
        description = {
            "Runs a program as if it were run directly: its input, both output streams byte for byte, signals and exit"
                    + " code. A failure is recorded, unless a signal to xmem ended the program; advice follows the program's"
                    + " last byte on standard error.",
            "Without --store and --tell, a program that failed is followed by the name of the store.",
            "If the store cannot be opened, the program runs all the same. Runs of one shell are one session: retries"
                    + " that work become lessons.",
            "What a daemon or another process that outlives the program writes after its end is not passed on."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem --store .xmem-store run -- make test", "  xmem run --tell advice.txt -- sh -c 'make 2>&1'"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " :That of the program; 128 and a signal's number.",
            "126:The program cannot be run.",
            "127:There is no such program.",
            "2:The command line of xmem is wrong."
        })
final class RunSubcommand extends Subcommand {
    private static final Duration FLUSH = Duration.ofSeconds(5);

    @Option(
            names = "--tell",
            paramLabel = "FILE",
            description =
                    "Write the advice to this file instead of standard error; the file is empty if there is" + " none.")
    @Nullable Path tell;

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            description = "The session of the call; default: XMEM_SESSION, else the process that runs xmem.")
    @Nullable String session;

    @Parameters(paramLabel = "PROGRAM", arity = "1..*", description = "The program and its arguments.")
    List<String> argv = List.of();

    @Override
    public Integer call() {
        CompletableFuture<XMemStore> store =
                CompletableFuture.supplyAsync(() -> root.stores().openForCalls(), task -> {
                    Thread thread = new Thread(task, "xmem-run-store");
                    thread.setDaemon(true);
                    thread.start();
                });
        try {
            GuardedProcess.Result result = new GuardedProcess(() -> guard(store), session())
                    .run(argv, root.terminal().rawOut(), root.terminal().rawErr());
            if (result.problem() != null) {
                root.terminal().error(false, result.problem());
            }
            tell(result.advice());
            if (result.exitCode() != 0 && tell == null && !store.isCompletedExceptionally()) {
                root.tellStore(false, root.stores().directory());
            }
            return result.exitCode();
        } finally {
            close(store);
        }
    }

    /** A file that cannot be written does not change the exit code of the program. */
    private void tell(String advice) {
        if (tell != null) {
            try {
                Files.writeString(tell, advice, StandardCharsets.UTF_8);
            } catch (IOException e) {
                root.terminal().error(false, "--tell: cannot write " + tell + " (" + e + ")");
            }
        } else if (!advice.isEmpty()) {
            root.terminal().rawErr().println(advice);
        }
    }

    private @Nullable ToolGuard guard(CompletableFuture<XMemStore> store) {
        try {
            return store.join().guard();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UsageException usage) {
                root.terminal().error(false, String.valueOf(usage.getMessage()));
            }
            return null; // without a memory
        }
    }

    private static void close(CompletableFuture<XMemStore> store) {
        try (XMemStore opened = store.join()) {
            opened.guard().flush(FLUSH);
        } catch (CompletionException | XMemException e) {
            // The store could not be opened or closed, but the program has run.
        }
    }

    private String session() {
        String named = session == null ? root.environment().variables().get("XMEM_SESSION") : session;
        return named != null && !named.isBlank()
                ? named
                : ProcessHandle.current()
                        .parent()
                        .map(parent -> "run-" + parent.pid() + "-"
                                + parent.info()
                                        .startInstant()
                                        .map(at -> at.toEpochMilli())
                                        .orElse(0L))
                        .orElse("run");
    }
}
