package dev.xmem.core.base.concurrent;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created once, by the first call of {@link #get}. Thread-safe. */
public final class Lazy<T> {
    private final Supplier<T> factory;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable T value;

    public Lazy(Supplier<T> factory) {
        this.factory = factory;
    }

    public T get() {
        T known = value;
        if (known == null) {
            lock.lock();
            try {
                known = value;
                if (known == null) {
                    known = factory.get();
                    value = known;
                }
            } finally {
                lock.unlock();
            }
        }
        return known;
    }

    /** The value; null if it was not created yet. */
    public @Nullable T ifCreated() {
        return value;
    }
}
