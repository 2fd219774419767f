package dev.xmem.hooks;

import dev.xmem.transcripts.LockedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The turn of a hook that answers by itself: {@value #TURNS} of a user work at a time, so that a burst of hooks without
 * a resident neither fills the memory nor keeps all of them from ending. A turn ends with its process.
 */
final class HookTurn implements AutoCloseable {
    private static final int TURNS = 8;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int LEAST_MILLIS = 50;
    private static final int MOST_MILLIS = 250;

    private final @Nullable LockedFile file;

    private HookTurn(@Nullable LockedFile file) {
        this.file = file;
    }

    /** Waits for a turn, but not for ever: a hook works without one rather than not at all. */
    static HookTurn await() {
        long until = System.nanoTime() + LIMIT.toNanos();
        int next = turn(System.nanoTime());
        try {
            Path folder = UserFolder.inCache("hooks");
            if (folder == null) {
                return new HookTurn(null);
            }
            LockedFile file = LockedFile.tryLock(folder.resolve("turn-" + next));
            while (file == null && System.nanoTime() < until) {
                int millis = ThreadLocalRandom.current().nextInt(LEAST_MILLIS, MOST_MILLIS);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
                next = (next + 1) % TURNS;
                file = LockedFile.tryLock(folder.resolve("turn-" + next));
            }
            return new HookTurn(file);
        } catch (IOException e) {
            return new HookTurn(null);
        }
    }

    /** A turn by the clock, whose value may be negative. */
    static int turn(long nanos) {
        return Math.floorMod(nanos, TURNS);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
