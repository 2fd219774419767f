package dev.xmem;

import java.time.Duration;

/**
 * How long calls of one kind took, in counts by duration: eight classes to each doubling, so that what is told is at most
 * an eighth too long. Immutable, thread-safe; implemented only by xmem, methods may be added.
 */
public interface LatencyStats {
    /** How many calls there were; those that ended with an exception are not among them. */
    long count();

    /**
     * The duration that so large a share of the calls did not exceed; zero where there were none.
     *
     * @param share from 0.0 to 1.0, {@code 0.99} for the 99th percentile
     * @throws IllegalArgumentException if the share is no such number
     */
    Duration percentile(double share);

    /** The longest, exact to the nanosecond; zero where there were none. */
    Duration max();
}
