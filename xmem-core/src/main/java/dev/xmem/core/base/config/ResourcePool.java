package dev.xmem.core.base.config;

import dev.xmem.core.Resources;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.io.ByteCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * The threads and the cache of one store, or of all stores that share {@link Resources}.
 *
 * @param cache caches blocks of logs, entries and pages
 * @param background runs work on local files
 * @param network runs work that waits for other machines
 */
public record ResourcePool(ByteCache cache, SerialScheduler background, SerialScheduler network)
        implements AutoCloseable {
    public ResourcePool(Executor executor, long cacheBytes) {
        this(new ByteCache(cacheBytes), new SerialScheduler(executor), new SerialScheduler(executor));
    }

    /** A pool for one store; it starts a daemon thread when there is work. */
    public static ResourcePool ofOneStore(long cacheBytes) {
        return new ResourcePool(new Daemons(), cacheBytes);
    }

    /** The smaller of a number of bytes and a fraction of the maximum heap: {@code 1 / parts}. */
    public static long share(long bytes, int parts) {
        return Math.min(bytes, Runtime.getRuntime().maxMemory() / parts);
    }

    /** How many tasks run at a time, at most one on each core, if each needs this many bytes of the heap. */
    public static int together(long bytes) {
        Runtime runtime = Runtime.getRuntime();
        return (int) Math.max(1, Math.min(runtime.availableProcessors(), runtime.maxMemory() / bytes));
    }

    /** Computes one of several results. */
    public interface Task<T> {
        T result(int number) throws IOException;
    }

    /**
     * The results of the tasks from 0 to a count, in order. They run on the calling thread and the threads of the
     * common pool.
     *
     * @param large whether they take long enough that other threads are worth waking; else the calling thread runs all
     */
    public static <T> List<T> all(int count, boolean large, Task<T> task) throws IOException {
        try {
            if (!large) {
                List<T> results = new ArrayList<>(count);
                for (int number = 0; number < count; number++) {
                    results.add(task.result(number));
                }
                return results;
            }
            return IntStream.range(0, count)
                    .parallel()
                    .mapToObj(number -> result(task, number))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static <T> T result(Task<T> task, int number) {
        try {
            return task.result(number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a daemon thread for each task. */
    private static final class Daemons implements Executor {
        @Override
        public void execute(Runnable work) {
            Thread thread = new Thread(null, work, "xmem", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
        }
    }

    @Override
    public void close() {
        network.close();
        background.close();
    }
}
