package dev.xmem.spi;

/**
 * Groups events into families of one {@link ContextHash}.
 *
 * <p>An implementation is thread-safe and a pure, total function that is linear in the length of the text. Its results
 * do not depend on the machine, a clock, the environment or the default locale. The input is already redacted, exactly
 * as it is stored, so the hash of an event equals the hash of its stored entry.
 */
public interface ContextHasher {
    /** Returns a short name such as {@code slug-1}, which changes whenever any result changes. */
    String id();

    /**
     * Returns the hash of an event. Never throws.
     *
     * @param input the event; before a call it has neither error nor pattern name, and the pattern of the hash is empty
     */
    ContextHash hash(HashInput input);
}
