package dev.xmem.hooks;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hook program of a coding agent: {@code java -jar xmem-hook.jar --store DIR}. Reads one event and writes the
 * response. It fails open: errors go to standard error and the exit code is 0 for every event. The script
 * {@code xmem-hook} starts it where no resident answers; then it leaves one behind.
 */
public final class HookProgram {
    /** The limit of a guard in a new process, and of the MCP server: above the default of a warm process. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    private static final String USAGE = """
            usage: java -jar xmem-hook.jar --store DIR [--agent AGENT]
              handles one event of a coding agent: JSON on standard input, the response on standard output""";
    private static final long BEGIN = System.nanoTime();
    private static final int MAX_BYTES = 64 << 20;
    /** What a hook has for its writes at least, however long the answer took. */
    private static final Duration LEAST_WAIT = Duration.ofMillis(500);

    private HookProgram() {}

    public static void main(String[] args) {
        if (args.length < 2 || !args[0].equals("--store") || args[1].isBlank()) {
            System.err.println(USAGE);
            System.exit(1); // 2 would be an answer to some agents
        }
        Path directory = directory("xmem", args[1]);
        List<String> options = List.of(args).subList(2, args.length);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        int code = run(directory, options, System.in, out, System.err);
        ResidentStarter.startIfMissing(directory);
        System.exit(code);
    }

    /** The folder of the store that an argument names; ends the process if the locale has no letters for it. */
    public static Path directory(String program, String named) {
        try {
            return Path.of(named);
        } catch (InvalidPathException e) {
            System.err.println(program + ": the store's directory is not usable as a path here: " + e.getMessage()
                    + ". For other letters than those of ASCII, use a UTF-8 locale, such as LC_ALL=C.UTF-8.");
            System.exit(1); // 2 would be an answer to some agents
            throw e;
        }
    }

    /**
     * Opens the store, handles the event of the input, and returns the exit code. The answer stands, with its code,
     * whatever happens after it was written; the event is handed over at most once.
     */
    static int run(Path directory, List<String> options, InputStream in, OutputStream out, PrintStream err) {
        Unanswered unanswered = Unanswered.ofProcess();
        HookResult answer = null;
        boolean written = false;
        byte[] event = {};
        try {
            event = in.readNBytes(MAX_BYTES + 1);
            if (unanswered != null && !unanswered.isOver(directory)) {
                return 0;
            }
            if (event.length > MAX_BYTES) {
                throw new IOException("the event is longer than " + MAX_BYTES + " bytes");
            }
            HookTurn turn = HookTurn.await();
            long until = System.nanoTime() + HookService.LOCK_LIMIT.toNanos();
            try (XMemStore store = open(directory)) {
                boolean done = unanswered != null && unanswered.wasRecorded(store, event, options);
                answer = done ? HookResult.silent("") : HookService.answer(store, event, options);
                write(answer, out, err);
                Duration left = Duration.ofNanos(Math.max(LEAST_WAIT.toNanos(), until - System.nanoTime()));
                written = store.guard().flush(left)
                        || !LateEvent.hasPlace() && store.guard().flush(HookService.WRITE_LIMIT);
                HookTrace.write(directory, answer.flushed(written).trace(), millis(), "itself");
                HookService.readTranscript(store, directory, event, options);
            } finally {
                turn.close();
            }
        } catch (IOException | RuntimeException e) {
            fail(directory, e, answer, err);
            written |= answer == null && !(e instanceof XMemException.Busy); // another process could not do it either
        }
        if (!written) {
            try {
                LateEvent.handOver(directory, event, options);
            } catch (IOException | RuntimeException e) {
                fail(directory, e, answer, err);
            }
        }
        return answer == null ? 0 : answer.exitCode();
    }

    /** Waits longer for a lock if no other process can do the work later. */
    private static XMemStore open(Path directory) {
        try {
            return HookService.open(directory, HookService.LOCK_LIMIT);
        } catch (XMemException.Busy e) {
            if (LateEvent.hasPlace()) {
                throw e;
            }
            return HookService.open(directory);
        }
    }

    private static void fail(Path directory, Exception cause, @Nullable HookResult answer, PrintStream err) {
        if (answer == null) {
            err.print(HookResult.silent(String.valueOf(cause.getMessage())).err());
        }
        HookTrace.write(directory, HookTrace.Draft.failed("", null, cause), millis(), "itself");
    }

    private static void write(HookResult result, OutputStream out, PrintStream err) {
        err.print(result.err());
        PrintStream text = new PrintStream(out, false, StandardCharsets.UTF_8);
        text.print(result.out());
        text.flush();
    }

    /** The time since the program began: to ask for that of its process takes 5 ms. */
    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - BEGIN);
    }
}
