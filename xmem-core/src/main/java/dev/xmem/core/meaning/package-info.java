/**
 * Meaning: which entries a caller's {@link dev.xmem.spi.Embedder} takes for close to a request. The door is
 * {@link dev.xmem.core.meaning.Meanings}. Not used unless the builder was given an embedder.
 */
@NullMarked
package dev.xmem.core.meaning;

import org.jspecify.annotations.NullMarked;
