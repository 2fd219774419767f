package dev.xmem.core.base.concurrent;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is made when it is first asked for, once. Thread-safe. */
public final class Lazy<T> {
    private final Supplier<T> maker;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable T made;

    public Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    public T get() {
        T known = made;
        if (known == null) {
            making.lock();
            try {
                known = made;
                if (known == null) {
                    known = maker.get();
                    made = known;
                }
            } finally {
                making.unlock();
            }
        }
        return known;
    }

    /** Null as long as nobody asked for it. */
    public @Nullable T ifMade() {
        return made;
    }
}
