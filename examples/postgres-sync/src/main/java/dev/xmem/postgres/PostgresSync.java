package dev.xmem.postgres;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.SyncReport;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Two agents on two machines, each with its own store, share what they learn through a PostgreSQL database. */
public final class PostgresSync {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private PostgresSync() {}

    /** Takes a JDBC URL; user and password come from the environment variables PGUSER and PGPASSWORD. */
    public static void main(String[] args) throws Exception {
        System.exit(start(args, System.getenv(), new PrintStream(System.out, true, StandardCharsets.UTF_8)));
    }

    static int start(String[] args, Map<String, String> environment, PrintStream out) throws IOException {
        if (args.length != 1) {
            out.println("usage: PGUSER=… PGPASSWORD=… java -jar postgres-sync.jar jdbc:postgresql://HOST/DATABASE");
            return 2;
        }
        PostgresSyncBackend.Builder database;
        try {
            database = PostgresSyncBackend.of(args[0]);
        } catch (IllegalArgumentException e) {
            out.println("The URL cannot be used: " + e.getMessage() + ". User and password are PGUSER and PGPASSWORD.");
            return 2;
        }
        String user = environment.get("PGUSER");
        if (user != null) {
            database.credentials(user, environment.get("PGPASSWORD"));
        }
        return run(Files.createTempDirectory("xmem-fleet"), database::build, out) ? 0 : 1;
    }

    /** Runs the scenario in a directory; true if the second agent got the advice that the first one recorded. */
    static boolean run(Path folder, Supplier<SyncBackend> database, PrintStream out) {
        try (XMemStore anna = open(folder.resolve("anna"), database.get());
                XMemStore ben = open(folder.resolve("ben"), database.get())) {
            String unreachable = anna.sync(LIMIT).lastError();
            if (unreachable != null) {
                out.println("The database cannot be used: " + unreachable);
                return false;
            }
            ToolCall call = ToolCall.shell("pip install pyyaml").session("anna-monday");
            ToolError error = ToolError.exit(1, "error: externally-managed-environment");
            Failure learned = anna.recordFailure(
                    Failure.of(call, error).patternAvoid("Make a virtual environment first: python3 -m venv .venv"));
            out.println("anna recorded " + learned.id() + " (" + learned.ctxHash() + ")");

            // An agent does not call sync: its store syncs in the background, every few seconds.
            for (XMemStore store : new XMemStore[] {anna, ben}) {
                SyncReport report = store.sync(LIMIT);
                if (report.lastError() != null) {
                    out.println(report.lastError());
                    return false;
                }
            }
            Advice advice = ben.recall(ToolCall.shell("pip install requests").session("ben-tuesday"), error);
            out.println("ben got the advice:\n" + advice.text().strip());
            return !advice.isEmpty();
        }
    }

    private static XMemStore open(Path store, SyncBackend backend) {
        return XMem.builder(store).sync(backend).open();
    }
}
