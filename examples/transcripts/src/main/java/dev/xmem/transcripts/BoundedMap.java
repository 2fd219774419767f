package dev.xmem.transcripts;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets the members that were used least recently. Not thread-safe. */
final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    BoundedMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
