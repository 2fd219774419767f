package dev.xmem.benchmarks;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Context hashes that were made before: "hash given" costs one look into a map. Thread-safe. */
final class PrecomputedHasher implements ContextHasher {
    private final Map<String, ContextHash> hashes = new ConcurrentHashMap<>();

    /** Knows the hashes of these entries. */
    PrecomputedHasher(Collection<CorpusEntry> input) {
        input.forEach(this::add);
    }

    /** Knows one more. */
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
            throw new IllegalStateException("the error is not as the corpus gave it: " + input.error());
        }
        return hash;
    }
}
