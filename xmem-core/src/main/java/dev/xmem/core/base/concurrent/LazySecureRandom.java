package dev.xmem.core.base.concurrent;

import java.security.SecureRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers unless the builder was given others: a {@link SecureRandom} that is made for the first of them. It takes
 * longer to make than a store to open, and most programs that ask once need no number. Thread-safe.
 */
public final class LazySecureRandom implements RandomGenerator, LongSupplier {
    private volatile @Nullable SecureRandom made;

    private SecureRandom random() {
        SecureRandom known = made; // two threads may make one each: one is as good as the other
        if (known == null) {
            known = new SecureRandom();
            made = known;
        }
        return known;
    }

    @Override
    public long nextLong() {
        return random().nextLong();
    }

    @Override
    public long getAsLong() {
        return nextLong();
    }

    @Override
    public void nextBytes(byte[] bytes) {
        random().nextBytes(bytes);
    }
}
