package dev.xmem.core.base.concurrent;

import dev.xmem.core.base.io.NativeFileSystem;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The default source of random numbers: single ones come from the operating system, and a {@link SecureRandom} is
 * created where more are needed. Thread-safe.
 */
public final class LazySecureRandom implements RandomGenerator {
    private volatile @Nullable SecureRandom random;

    @Override
    public long nextLong() {
        return NativeFileSystem.randomLong();
    }

    @Override
    public void nextBytes(byte[] bytes) {
        SecureRandom known = random;
        if (known == null) { // two threads may create two; both are random
            known = new SecureRandom();
            random = known;
        }
        known.nextBytes(bytes);
    }
}
