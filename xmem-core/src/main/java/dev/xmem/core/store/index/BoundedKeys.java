package dev.xmem.core.store.index;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The first of all keys that are tested. Not thread-safe. */
final class BoundedKeys implements Predicate<String> {
    private final int most;
    private final TreeSet<String> keys = new TreeSet<>();

    /** At most {@code most} keys, which is at least one. */
    BoundedKeys(int most) {
        this.most = most;
    }

    /** Takes a key; false if neither this one nor any later one is among the first. */
    @Override
    public boolean test(String key) {
        if (keys.size() == most && key.compareTo(keys.last()) >= 0) {
            return key.equals(keys.last());
        }
        keys.add(key);
        if (keys.size() > most) {
            keys.pollLast();
        }
        return true;
    }

    /** The first of them, in their order. */
    SortedSet<String> keys() {
        return keys;
    }
}
