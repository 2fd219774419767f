package dev.xmem.core.text.hash;

import dev.xmem.spi.ContextHash;

/**
 * A failure that is asked about.
 *
 * @param hash its family
 * @param text what would be stored of its error: redacted, the telling lines
 */
public record RecallQuery(ContextHash hash, String text) {}
