package dev.xmem.spi;

/**
 * Groups events into families. Pure, total, linear in the text, thread-safe, and equal on every machine: no clock, no
 * environment, no default locale. It sees text that is already redacted, exactly as it is stored, so the hash of an
 * event is the hash of the entry stored from it.
 */
public interface ContextHasher {
    /** A short name such as {@code slug-1} that changes whenever one result does. */
    String id();

    /**
     * The family of an event.
     *
     * @param input the event; before a call there is neither error nor pattern name, and the pattern is empty
     */
    ContextHash hash(HashInput input);
}
