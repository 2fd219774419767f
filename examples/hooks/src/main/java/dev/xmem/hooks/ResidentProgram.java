package dev.xmem.hooks;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The program of a resident: {@code ResidentProgram DIR}. A hook that found none starts it; {@code xmem serve} runs the
 * same in the foreground.
 */
public final class ResidentProgram {
    /** How long a resident without events stays, unless the variable XMEM_RESIDENT_IDLE gives seconds. */
    public static final Duration IDLE = Duration.ofMinutes(30);

    private static final String IDLE_VARIABLE = "XMEM_RESIDENT_IDLE";
    private static final int MIB = 1 << 20;

    private ResidentProgram() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 1) {
            System.err.println("usage: ResidentProgram DIR");
            System.exit(2);
        }
        System.exit(serve(Path.of(args[0]), idle(), System.out) ? 0 : 1);
    }

    /** The time that XMEM_RESIDENT_IDLE gives in seconds, else 30 minutes. */
    public static Duration idle() {
        String seconds = System.getenv(IDLE_VARIABLE);
        return seconds != null && seconds.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(seconds)) : IDLE;
    }

    /**
     * Answers the hooks of a store until it was idle for long, its folder has gone, or the process is told to end.
     *
     * @param out gets a line about the port and the memory, and one with the reason if the hooks cannot be answered
     * @return whether hooks were answered
     */
    public static boolean serve(Path directory, Duration idle, PrintStream out) throws InterruptedException {
        try (XMemStore store = HookService.open(directory)) {
            store.guard().warmUp();
            try (Resident resident = Resident.tryStart(store, directory, ResidentFile.RESIDENT)) {
                if (resident == null) {
                    out.println("Another process answers the hooks of " + directory + ", or "
                            + ResidentSlots.MAX_RESIDENTS + " residents of this user are running.");
                    return false;
                }
                out.println("Answering the hooks of " + directory + " on port " + resident.port() + " of 127.0.0.1, "
                        + "process " + ProcessHandle.current().pid() + ", with at most "
                        + Runtime.getRuntime().maxMemory() / MIB + " MiB of heap.");
                out.flush();
                Thread end = new Thread(resident::close, "xmem-hooks-end");
                Runtime.getRuntime().addShutdownHook(end);
                resident.awaitEnd(idle);
                return true;
            }
        } catch (IOException | XMemException e) {
            out.println("The hooks of " + directory + " cannot be answered: " + e.getMessage());
            return false;
        }
    }
}
