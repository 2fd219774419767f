package dev.xmem.core.base.concurrent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;

/** Computes independent results on all cores: on the calling thread and the threads of the common pool. */
public final class Parallel {
    private Parallel() {}

    /** Computes one of the results. */
    public interface Task<T> {
        T result(int number) throws IOException;
    }

    /**
     * The results of the tasks from 0 to a count, in order.
     *
     * @param large whether they take long enough that other threads are worth waking; else the calling thread runs all
     */
    public static <T> List<T> all(int count, boolean large, Task<T> task) throws IOException {
        try {
            IntStream numbers = IntStream.range(0, count);
            return (large ? numbers.parallel() : numbers)
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
}
