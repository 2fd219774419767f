package dev.xmem.benchmarks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Keeps the last added elements up to a capacity, and counts all of them. Not thread-safe. */
final class RingBuffer<T> {
    private final int capacity;
    private final Deque<T> newest = new ArrayDeque<>();
    private int count;

    RingBuffer(int capacity) {
        this.capacity = capacity;
    }

    void add(T element) {
        newest.addFirst(element);
        count++;
        if (newest.size() > capacity) {
            newest.removeLast();
        }
    }

    /** Returns the number of elements added. */
    int count() {
        return count;
    }

    List<T> newestFirst() {
        return new ArrayList<>(newest);
    }
}
