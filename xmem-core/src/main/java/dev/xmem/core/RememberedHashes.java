package dev.xmem.core;

import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A hasher that remembers the hashes of calls and failures, because one failure is asked for and recorded, and often
 * happens again at once. Bounded: at most {@value #SLOTS} inputs of at most {@value #MAX_CHARS} characters.
 * Thread-safe.
 */
final class RememberedHashes implements ContextHasher {
    private static final int SLOTS = 256;
    private static final int MAX_CHARS = 4096;

    private final ContextHasher hasher;
    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);

    private record Known(HashInput input, ContextHash hash) {
        boolean isOf(HashInput other) {
            return input.error().equals(other.error())
                    && input.action().equals(other.action())
                    && input.tool().equals(other.tool())
                    && Objects.equals(input.exitCode(), other.exitCode());
        }
    }

    /** @param hasher a pure function, as its interface demands */
    RememberedHashes(ContextHasher hasher) {
        this.hasher = hasher;
    }

    @Override
    public String id() {
        return hasher.id();
    }

    @Override
    public ContextHash hash(HashInput input) {
        int chars =
                input.tool().length() + input.action().length() + input.error().length();
        boolean success = input.patternName() != null
                || input.signature() != null
                || !input.keySteps().isEmpty();
        if (success || chars > MAX_CHARS) {
            return hasher.hash(input);
        }
        int code = 31 * (31 * input.tool().hashCode() + input.action().hashCode())
                + input.error().hashCode();
        int slot = (code ^ code >>> 16) & SLOTS - 1;
        Known known = slots.get(slot);
        if (known == null || !known.isOf(input)) {
            known = new Known(input, hasher.hash(input));
            slots.set(slot, known);
        }
        return known.hash;
    }
}
