package dev.xmem.spi;

/**
 * Removes further text, such as personal data, before an entry is hashed and stored. Runs after the built-in redaction
 * of secrets, which it cannot disable. Passed to the builder, never discovered. An implementation is thread-safe, pure,
 * idempotent and linear in the length of the text.
 */
@FunctionalInterface
public interface Redactor {
    /** Returns the text without what must not be stored. */
    String redact(String text);
}
