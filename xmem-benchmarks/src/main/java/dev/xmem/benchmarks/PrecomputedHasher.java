package dev.xmem.benchmarks;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Returns precomputed context hashes, so that a benchmark measures a map lookup in place of the hasher. Thread-safe.
 */
final class PrecomputedHasher implements ContextHasher {
    private final Map<String, ContextHash> hashes = new ConcurrentHashMap<>();

    /** Adds the hashes of these entries. */
    PrecomputedHasher(Collection<CorpusEntry> input) {
        input.forEach(this::add);
    }

    /** Adds the hash of one entry. */
    void add(CorpusEntry entry) {
        hashes.put(entry.hashKey(), entry.hash());
    }

    @Override
    public String id() {
        return "precomputed";
    }

    @Override
    public ContextHash hash(HashInput input) {
        String name = input.patternName();
        ContextHash hash = hashes.get(name == null ? input.error() : name);
        if (hash == null) {
            throw new IllegalStateException("the store changed the error of the corpus: " + input.error());
        }
        return hash;
    }
}
