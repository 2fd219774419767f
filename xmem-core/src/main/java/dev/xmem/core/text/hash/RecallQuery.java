package dev.xmem.core.text.hash;

import dev.xmem.spi.ContextHash;

/**
 * A failure as a query of recall.
 *
 * @param hash the context hash of the failure
 * @param text the excerpt of its error, redacted
 */
public record RecallQuery(ContextHash hash, String text) {}
