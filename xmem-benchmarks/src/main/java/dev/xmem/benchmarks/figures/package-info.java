/** Tables and plots of what the benchmarks measured. */
@NullMarked
package dev.xmem.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
