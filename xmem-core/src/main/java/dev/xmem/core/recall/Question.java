package dev.xmem.core.recall;

import dev.xmem.spi.ContextHash;

/**
 * A failure that is asked about.
 *
 * @param hash its family
 * @param text what would be stored of its error: redacted, the telling lines
 */
public record Question(ContextHash hash, String text) {}
