package dev.xmem.hooks;

import dev.xmem.XMemStore;
import dev.xmem.transcripts.LockedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that handles an event again, because another process kept the store locked for longer than an agent waits.
 * The hook has answered, so this process answers nothing. It gets the event through a pipe, so that no text is written
 * to a file before it is redacted. Decision: docs/adr/0054-hooks-and-locked-stores.md.
 */
final class LateEvent {
    /** The claim of the hook to record the failure is valid for ten seconds. */
    private static final Duration PAUSE = Duration.ofSeconds(11);

    private static final Duration PLACE_LIMIT = Duration.ofMinutes(5);
    private static final Duration PLACE_PAUSE = Duration.ofMillis(250);
    private static final int PROCESSES = 8;
    private static final int MAX_BYTES = 1 << 20;

    private LateEvent() {}

    /** Starts the process. An event above the size is dropped. */
    static void handOver(Path directory, byte[] event, List<String> options) throws IOException {
        if (event.length > MAX_BYTES) {
            return;
        }
        List<String> command = ResidentStarter.detached();
        command.addAll(
                List.of(ResidentStarter.java(), "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.addAll(List.of(ResidentStarter.classPath(), LateEvent.class.getName()));
        Instant begin = ProcessHandle.current()
                .info()
                .startInstant()
                .orElseGet(() -> Instant.now().minusSeconds(60));
        command.addAll(
                List.of(directory.toRealPath().toString(), begin.minusSeconds(1).toString()));
        command.addAll(options);
        try (OutputStream in =
                ResidentStarter.start(command, ProcessBuilder.Redirect.PIPE).getOutputStream()) {
            in.write(event);
        }
    }

    /** Arguments: the store, the time at which the hook began, and the options of the hook. */
    public static void main(String[] args) throws IOException, InterruptedException {
        byte[] event = System.in.readNBytes(MAX_BYTES);
        try (LockedFile place = awaitPlace()) {
            if (place == null) {
                return;
            }
            Thread.sleep(PAUSE.toMillis());
            handle(Path.of(args[0]), event, List.of(args).subList(2, args.length), Instant.parse(args[1]));
        }
    }

    /** Whether a process could begin now. */
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
        try (XMemStore store = HookService.open(directory)) {
            if (!new Unanswered(0, since).wasRecorded(store, event, options)) {
                HookResult answer = HookService.answer(store, event, options);
                boolean written = store.guard().flush(HookService.WRITE_LIMIT);
                long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
                HookTrace.write(directory, answer.unheard().flushed(written).trace(), millis, "later");
            }
        }
    }
}
