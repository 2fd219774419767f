package dev.xmem.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last of many. Not thread-safe. */
final class RingBuffer<T> {
    private final int most;
    private final Deque<T> newest = new ArrayDeque<>();
    private int count;

    RingBuffer(int most) {
        this.most = most;
    }

    void add(T one) {
        newest.addFirst(one);
        count++;
        if (newest.size() > most) {
            newest.removeLast();
        }
    }

    /** How many there were. */
    int count() {
        return count;
    }

    List<T> newestFirst() {
        return new ArrayList<>(newest);
    }
}
