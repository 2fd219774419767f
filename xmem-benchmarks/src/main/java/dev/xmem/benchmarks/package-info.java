/**
 * What xmem costs beside a floor and beside what a user would pick instead, on one seeded {@link
 * dev.xmem.benchmarks.Corpus}. Each benchmark compares the answers before it times anything.
 */
@NullMarked
package dev.xmem.benchmarks;

import org.jspecify.annotations.NullMarked;
