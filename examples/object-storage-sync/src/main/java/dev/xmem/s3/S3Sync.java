package dev.xmem.s3;

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
import java.util.function.Supplier;

/** Two agents on two machines, each with its own store, share what they learn through a bucket. */
public final class S3Sync {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private S3Sync() {}

    /** Takes the name of a bucket; the rest comes from the environment variables of Amazon's tools. */
    public static void main(String[] args) throws Exception {
        System.exit(start(args, new PrintStream(System.out, true, StandardCharsets.UTF_8)));
    }

    static int start(String[] args, PrintStream out) throws IOException {
        if (args.length != 1) {
            out.println("usage: AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… java -jar s3-sync.jar BUCKET");
            return 2;
        }
        try {
            S3SyncBackend.Builder bucket = S3SyncBackend.of(args[0]);
            return run(Files.createTempDirectory("xmem-team"), bucket::build, out) ? 0 : 1;
        } catch (IllegalArgumentException e) {
            out.println("The bucket cannot be used: " + e.getMessage());
            return 2;
        }
    }

    /** Runs the scenario in a directory; true if the second agent got the advice that the first one recorded. */
    static boolean run(Path folder, Supplier<SyncBackend> bucket, PrintStream out) {
        try (XMemStore anna = open(folder.resolve("anna"), bucket.get());
                XMemStore ben = open(folder.resolve("ben"), bucket.get())) {
            String unreachable = anna.sync(LIMIT).lastError();
            if (unreachable != null) {
                out.println("The bucket cannot be used: " + unreachable);
                return false;
            }
            ToolCall call = ToolCall.shell("pip install pyyaml").session("anna-monday");
            ToolError error = ToolError.exit(1, "error: externally-managed-environment");
            Failure learned = anna.recordFailure(
                    Failure.of(call, error).patternAvoid("Make a virtual environment first: python3 -m venv .venv"));
            out.println("anna recorded " + learned.id() + " (" + learned.ctxHash() + ")");

            // An agent does not call sync: its store syncs in the background.
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
