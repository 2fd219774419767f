package dev.xmem.core;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is made when it is first asked for, once. Thread-safe. */
final class OnUse<T> {
    private final Supplier<T> maker;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable T made;

    OnUse(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
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
    @Nullable T ifMade() {
        return made;
    }
}
