/**
 * The plug-in interfaces: {@link dev.xmem.spi.ContextHasher} groups failures into families,
 * {@link dev.xmem.spi.TokenEstimator} counts tokens, {@link dev.xmem.spi.Redactor} removes text before it is stored,
 * {@link dev.xmem.spi.SyncBackend} connects replicas, and {@link dev.xmem.spi.Embedder} adds a vector search.
 *
 * <p>The tests of a provider extend the contract test of its interface, in package {@code dev.xmem.testing} of this
 * module's test-jar.
 */
@NullMarked
package dev.xmem.spi;

import org.jspecify.annotations.NullMarked;
