package dev.xmem.hooks;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.StoreFolders;
import dev.xmem.core.XMem;
import dev.xmem.hooks.dialect.EventFields;
import dev.xmem.hooks.dialect.HookDialect;
import dev.xmem.hooks.dialect.HookEvent;
import dev.xmem.transcripts.TranscriptImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Answers hook events with an open store: the one door of the hook program, the resident and the MCP server. */
final class HookService {
    /** How long a hook waits for a store that another process keeps locked. */
    static final Duration LOCK_LIMIT = Duration.ofSeconds(2);

    /** How long a process that no agent waits for tries to write what an event leads to. */
    static final Duration WRITE_LIMIT = Duration.ofSeconds(60);

    /** How long a guard tries to write an event. */
    static final Duration QUEUE_LIMIT = Duration.ofMinutes(10);

    private static final long RETRY_MILLIS = 100;

    private HookService() {}

    /** Opens the store of hooks; read-only if its files cannot be written. */
    static XMemStore open(Path directory) {
        return open(directory, WRITE_LIMIT);
    }

    /**
     * Opens the store of hooks; read-only if its files cannot be written.
     *
     * @param limit how long to wait for a lock
     * @throws XMemException.Busy if another process holds it for longer
     */
    static XMemStore open(Path directory, Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                return openNow(directory);
            } catch (XMemException.Busy e) {
                if (System.nanoTime() > until) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
            }
        }
    }

    private static XMemStore openNow(Path directory) {
        try {
            return open(directory, false);
        } catch (XMemException.Io e) {
            if (Files.isDirectory(directory.resolve("data"))) {
                return open(directory, true);
            }
            throw e;
        }
    }

    private static XMemStore open(Path directory, boolean readOnly) {
        XMem.Builder builder = StoreFolders.layered(directory, System.getenv())
                .guardLimit(HookProgram.LIMIT)
                .sharedSessions();
        builder = readOnly ? builder.readOnly() : builder;
        AtomicReference<XMemStore> opened = new AtomicReference<>();
        if (!readOnly && LessonHints.ON && LessonHints.hasProgram()) {
            builder.lessonHint(id -> opened.get()
                    .find(id)
                    .map(failure -> LessonHints.byShell(directory, LessonHints.tool(failure), id))
                    .orElse(""));
        }
        opened.set(builder.open());
        return opened.get();
    }

    /**
     * Answers an event. An error is part of the answer. What the event leads to may still wait to be written; see
     * {@link dev.xmem.ToolGuard#flush}.
     *
     * @param event the JSON of the event
     * @param arguments the arguments of the command after the store's directory
     */
    static HookResult answer(XMemStore store, byte[] event, List<String> arguments) {
        String agent = "";
        HookEvent read = null;
        try {
            EventFields fields = EventFields.read(event);
            HookDialect dialect = dialect(fields, arguments);
            agent = dialect.agent();
            read = dialect.read(fields);
            HookHandler handler = new HookHandler(store, dialect);
            HookResult result = handler.answer(read);
            boolean told = !result.out().isEmpty();
            return result.traced(new HookTrace.Draft(agent, read, handler.advice(), told, result.err(), ""));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return HookResult.silent(e.getMessage() == null ? e.toString() : e.getMessage())
                    .traced(HookTrace.Draft.failed(agent, read, e));
        }
    }

    /**
     * After the end of a turn or session was answered, records from the agent's transcript what no hook has seen. What
     * cannot be read is left to the next time.
     */
    static void readTranscript(XMemStore store, Path directory, byte[] event, List<String> arguments) {
        try {
            HookEvent read = read(event, arguments);
            if (read.type() == HookEvent.Type.STOPPED && !read.transcript().isEmpty()) {
                TranscriptImport.ofTail(store, directory, Path.of(read.transcript()));
            }
        } catch (IOException | RuntimeException | StackOverflowError e) {
            // the answer stands; the command import reads the transcript too
        }
    }

    /** Reads an event in the dialect that the arguments name, or that its fields show. */
    static HookEvent read(byte[] event, List<String> arguments) throws IOException {
        EventFields fields = EventFields.read(event);
        return dialect(fields, arguments).read(fields);
    }

    private static HookDialect dialect(EventFields fields, List<String> arguments) throws IOException {
        return arguments.isEmpty() ? HookDialect.of(fields) : HookDialect.of(agent(arguments));
    }

    private static String agent(List<String> arguments) throws IOException {
        if (arguments.size() != 2 || !arguments.get(0).equals("--agent")) {
            throw new IOException("the options of a hook are --agent AGENT, not " + String.join(" ", arguments));
        }
        return arguments.get(1);
    }
}
