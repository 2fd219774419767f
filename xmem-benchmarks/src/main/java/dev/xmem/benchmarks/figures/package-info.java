/** Tables and plots of the measured results. */
@NullMarked
package dev.xmem.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
