package dev.xmem.core.base.concurrent;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * The default source of random numbers: a {@link SecureRandom} that is created with the first number, because creating
 * it takes longer than opening a store. Thread-safe.
 */
public final class LazySecureRandom implements RandomGenerator {
    private final Lazy<SecureRandom> random = new Lazy<>(SecureRandom::new);

    @Override
    public long nextLong() {
        return random.get().nextLong();
    }

    @Override
    public void nextBytes(byte[] bytes) {
        random.get().nextBytes(bytes);
    }
}
