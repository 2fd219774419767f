package dev.xmem.spi;

/**
 * Takes more out of a text before it is hashed and stored. Runs after the built-in redaction, so it can only take more
 * away; given to the builder, never discovered. Pure, thread-safe, linear in the text.
 */
@FunctionalInterface
public interface Redactor {
    /** The text without what must not be stored. */
    String redact(String text);
}
