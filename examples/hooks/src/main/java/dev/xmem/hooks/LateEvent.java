package dev.xmem.hooks;

import dev.xmem.XMemStore;
import dev.xmem.transcripts.LockedFile;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that handles events again, because another process kept the store locked for longer than an agent waits.
 * The hook or the resident has answered, so this process answers nothing. It gets the events through a pipe, so that no
 * text is written to a file before it is redacted, and begins when the pipe ends. Decision:
 * docs/adr/0054-hooks-and-locked-stores.md.
 */
final class LateEvent {
    /** The claim of the hook to record the failure is valid for ten seconds. */
    private static final Duration PAUSE = Duration.ofSeconds(11);

    private static final Duration PLACE_LIMIT = Duration.ofMinutes(5);
    private static final Duration PLACE_PAUSE = Duration.ofMillis(250);
    private static final int PROCESSES = 8;
    private static final int MAX_BYTES = 1 << 20;

    private LateEvent() {}

    /** Starts the process for the event of this hook. An event above the size is dropped. */
    static void handOver(Path directory, byte[] event, List<String> options) throws IOException {
        if (event.length <= MAX_BYTES) {
            Instant begin = ProcessHandle.current()
                    .info()
                    .startInstant()
                    .orElseGet(() -> Instant.now().minusSeconds(60));
            try (DataOutputStream out = new DataOutputStream(start(directory).getOutputStream())) {
                write(event, options, begin, out);
            }
        }
    }

    /** Starts a process that handles the events of its input once that has ended. */
    static Process start(Path directory) throws IOException {
        String store = directory.toRealPath().toString();
        List<String> command = ResidentStarter.command(List.of("-Xmx64m"), LateEvent.class, store);
        return ResidentStarter.start(command, ProcessBuilder.Redirect.PIPE);
    }

    /** Gives the process an event and the time at which its hook began. */
    static void write(byte[] event, List<String> options, Instant begin, DataOutputStream out) throws IOException {
        out.writeUTF(begin.minusSeconds(1).toString());
        out.writeInt(options.size());
        for (String option : options) {
            out.writeUTF(option);
        }
        out.writeInt(event.length);
        out.write(event);
        out.flush();
    }

    private record Event(Instant since, List<String> options, byte[] bytes) {}

    /** The events of the input. An event that was not written to its end is left out. */
    private static List<Event> read(InputStream input) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(input));
        List<Event> events = new ArrayList<>();
        try {
            while (true) {
                Instant since = Instant.parse(in.readUTF());
                List<String> options = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    options.add(in.readUTF());
                }
                byte[] bytes = new byte[in.readInt()]; // the resident bounds them
                in.readFully(bytes);
                events.add(new Event(since, options, bytes));
            }
        } catch (EOFException e) {
            return events;
        }
    }

    /** Argument: the store. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<Event> events = read(System.in);
        try (LockedFile place = awaitPlace()) {
            if (place == null) {
                return;
            }
            Thread.sleep(PAUSE.toMillis());
            for (Event event : events) {
                handle(Path.of(args[0]), event.bytes, event.options, event.since);
            }
        }
    }

    /** Whether there is room for one more process. */
    static boolean hasPlace() {
        try (LockedFile place = place()) {
            return place != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable LockedFile place() throws IOException {
        Path folder = UserFolder.inCache("hooks");
        LockedFile place = null;
        for (int i = 0; folder != null && place == null && i < PROCESSES; i++) {
            place = LockedFile.tryLock(folder.resolve("later-" + i));
        }
        return place;
    }

    /** Waits for a place, since several hooks may have seen the same one. */
    private static @Nullable LockedFile awaitPlace() throws IOException, InterruptedException {
        long until = System.nanoTime() + PLACE_LIMIT.toNanos();
        LockedFile place = place();
        while (place == null && System.nanoTime() < until) {
            Thread.sleep(PLACE_PAUSE.toMillis());
            place = place();
        }
        return place;
    }

    private static void handle(Path directory, byte[] event, List<String> options, Instant since) {
        if (!Files.isDirectory(directory.resolve(".xmem"))) {
            return; // the store has gone
        }
        long begin = System.nanoTime();
        try (XMemStore store = HookService.open(directory, HookService.QUEUE_LIMIT)) {
            if (!new Unanswered(0, since).wasRecorded(store, event, options)) {
                HookResult answer = HookService.answer(store, event, options);
                boolean written = store.guard().flush(HookService.QUEUE_LIMIT);
                long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
                HookTrace.write(directory, answer.unheard().flushed(written).trace(), millis, "later");
            }
        } catch (RuntimeException e) {
            long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            HookTrace.write(directory, HookTrace.Draft.failed("", null, e), millis, "later");
        }
    }
}
