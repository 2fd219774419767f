package dev.xmem.hooks;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The program of a resident: {@code ResidentProgram DIR}. A hook that found none starts it; {@code xmem serve} runs the
 * same in the foreground.
 */
public final class ResidentProgram {
    /** How long a resident without events stays, unless the variable XMEM_RESIDENT_IDLE gives seconds. */
    static final Duration IDLE = Duration.ofMinutes(30);

    private static final String IDLE_VARIABLE = "XMEM_RESIDENT_IDLE";
    private static final int MIB = 1 << 20;

    private ResidentProgram() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            System.err.println("usage: ResidentProgram DIR");
            System.exit(2);
        }
        System.exit(serve(Path.of(args[0]), ResidentFile.RESIDENT, idle(), System.out::println, null) ? 0 : 1);
    }

    /** The time that XMEM_RESIDENT_IDLE gives in seconds, else 30 minutes. */
    private static Duration idle() {
        String seconds = System.getenv(IDLE_VARIABLE);
        return seconds != null && seconds.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(seconds)) : IDLE;
    }

    /**
     * Answers the hooks of a store in this process until no event came for long, the store's folder has gone, or the
     * process is told to end.
     *
     * @param idle how long to wait for an event
     * @param say gets a sentence about the port and the memory, or the reason why the hooks cannot be answered
     * @return whether hooks were answered
     */
    public static boolean serve(Path directory, Duration idle, Consumer<String> say) throws InterruptedException {
        return serve(directory, ResidentFile.SERVER, idle, say, null);
    }

    /**
     * The same with a service beside the hooks, which serves the same store. It serves also while another process
     * answers the hooks.
     */
    public static boolean serve(Path directory, Duration idle, Consumer<String> say, Service service)
            throws InterruptedException {
        return serve(directory, ResidentFile.SERVER, idle, say, service);
    }

    /** Something else that a process does with the store of the hooks. */
    public interface Service {
        /** Starts the service; it ends when the result is closed. */
        Closeable start(XMemStore store) throws IOException;
    }

    private static boolean serve(
            Path directory, String kind, Duration idle, Consumer<String> say, @Nullable Service service)
            throws InterruptedException {
        boolean resident = kind.equals(ResidentFile.RESIDENT);
        try {
            String folder = resident ? UserFolder.key(directory) : ""; // fails if the folder has gone meanwhile
            try (XMemStore store = HookService.open(directory)) {
                if (resident && !UserFolder.key(directory).equals(folder)) {
                    throw new IOException("its folder was replaced");
                }
                return serve(store, directory, kind, idle, say, service);
            }
        } catch (IOException | XMemException e) {
            say.accept("The hooks of " + directory + " cannot be answered: " + e.getMessage());
            return false;
        }
    }

    private static boolean serve(
            XMemStore store,
            Path directory,
            String kind,
            Duration idle,
            Consumer<String> say,
            @Nullable Service service)
            throws IOException, InterruptedException {
        store.guard().warmUp();
        Closeable started;
        try {
            started = service == null ? null : service.start(store);
        } catch (IOException e) {
            say.accept("Not started: " + e.getMessage());
            return false;
        }
        try (Resident resident = Resident.tryStart(store, directory, kind)) {
            if (resident == null) {
                say.accept("Another process answers the hooks of " + directory + ", or " + ResidentSlots.MAX_RESIDENTS
                        + " residents of this user are running.");
                if (service != null) {
                    Thread.currentThread().join();
                }
                return false;
            }
            say.accept("Answering the hooks of " + directory + " on port " + resident.port() + " of 127.0.0.1, "
                    + "process " + ProcessHandle.current().pid() + ", with at most "
                    + Runtime.getRuntime().maxMemory() / MIB + " MiB of heap.");
            resident.awaitEnd(idle);
            return true;
        } finally {
            if (started != null) {
                started.close();
            }
        }
    }
}
