/**
 * What an integrator can plug in: how failures are grouped into families, how tokens are counted, what is taken out of
 * a text before it is stored, and where other replicas are found. Every provider extends the contract test of its
 * interface, shipped in the test-jar of this module (package {@code dev.xmem.testing}).
 */
@NullMarked
package dev.xmem.spi;

import org.jspecify.annotations.NullMarked;
