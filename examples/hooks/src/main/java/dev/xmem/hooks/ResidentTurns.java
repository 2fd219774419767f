package dev.xmem.hooks;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Answers the hooks of a store whenever no other process does so, as long as a host keeps this process running.
 * Thread-safe.
 */
public final class ResidentTurns implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration ALWAYS = Duration.ofDays(36_500);

    private final XMemStore store;
    private final Path directory;
    private final Thread thread;

    ResidentTurns(XMemStore store, Path directory) {
        this.store = store;
        this.directory = directory;
        this.thread = new Thread(this::run, "xmem-hooks");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                try (Resident resident = Resident.tryStart(store, directory, ResidentFile.SERVER)) {
                    if (resident != null) {
                        resident.awaitEnd(ALWAYS);
                    }
                } catch (IOException | RuntimeException e) {
                    // The store cannot be served now: hooks answer by themselves.
                }
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
