package dev.xmem.benchmarks;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Context hashes that were made before: "hash given" costs one look into a map. Immutable and thread-safe. */
final class Given implements ContextHasher {
    private final Map<String, ContextHash> hashes = new HashMap<>();

    Given(List<Item> items) {
        items.forEach(item -> hashes.put(item.said(), item.hash()));
    }

    @Override
    public String id() {
        return "given";
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
