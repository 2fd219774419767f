package dev.xmem.core.store.index;

import java.util.Queue;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;

/** Keys that are put in order when somebody asks for them, not when they are added. Thread-safe. */
final class LazySortedKeys {
    private final Queue<String> added = new ConcurrentLinkedQueue<>();
    private final ConcurrentSkipListSet<String> sorted = new ConcurrentSkipListSet<>();
    private final ReentrantLock sorting = new ReentrantLock();

    void add(String key) {
        added.add(key);
    }

    /** Those that are not before a text. */
    SortedSet<String> from(String text) {
        if (!added.isEmpty()) {
            sorting.lock();
            try {
                // Who finds the queue empty finds every key in the set.
                for (String key = added.peek(); key != null; key = added.peek()) {
                    sorted.add(key);
                    added.remove();
                }
            } finally {
                sorting.unlock();
            }
        }
        return sorted.tailSet(text);
    }
}
