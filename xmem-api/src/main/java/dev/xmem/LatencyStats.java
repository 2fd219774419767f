package dev.xmem;

import java.time.Duration;

/**
 * A latency histogram of calls of one kind. It has eight buckets per power of two, so a reported percentile is at most
 * one eighth too high. Immutable and thread-safe; implemented only by xmem, methods may be added.
 */
public interface LatencyStats {
    /** Returns the number of calls, without those that threw an exception. */
    long count();

    /**
     * Returns the duration that a given share of the calls did not exceed; zero if there were no calls.
     *
     * @param share from 0.0 to 1.0, {@code 0.99} for the 99th percentile
     * @throws IllegalArgumentException if the share is out of range or not a number
     */
    Duration percentile(double share);

    /** Returns the longest duration, exact to the nanosecond; zero if there were no calls. */
    Duration max();
}
