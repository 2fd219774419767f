package dev.xmem.core.base.concurrent;

import dev.xmem.core.base.io.NativeFileSystem;
import java.security.SecureRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The default source of random numbers: single ones come from the operating system, and a {@link SecureRandom} is
 * created where more are needed. Thread-safe.
 */
public final class LazySecureRandom implements RandomGenerator {
    /** A class, not a lambda: a short process opens a store without linking one. */
    private final Lazy<SecureRandom> random = new Lazy<>(new Supplier<SecureRandom>() {
        @Override
        public SecureRandom get() {
            return new SecureRandom();
        }
    });

    @Override
    public long nextLong() {
        return NativeFileSystem.randomLong();
    }

    @Override
    public void nextBytes(byte[] bytes) {
        random.get().nextBytes(bytes);
    }
}
