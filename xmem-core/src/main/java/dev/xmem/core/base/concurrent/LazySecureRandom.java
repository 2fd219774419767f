package dev.xmem.core.base.concurrent;

import dev.xmem.core.base.io.NativeFileSystem;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * The default source of random numbers: single ones come from the operating system, and a {@link SecureRandom} is
 * created where more are needed. Thread-safe.
 */
public final class LazySecureRandom implements RandomGenerator {
    /** Created by the first use: a process that needs one number loads no provider. */
    private static final class Shared {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    @Override
    public long nextLong() {
        return NativeFileSystem.randomLong();
    }

    @Override
    public void nextBytes(byte[] bytes) {
        Shared.RANDOM.nextBytes(bytes);
    }
}
