/**
 * Measures sync: many clones beside one shared branch, the effect on concurrent appends, and the delay until another
 * machine has an entry.
 */
@NullMarked
package dev.xmem.benchmarks.sync;

import org.jspecify.annotations.NullMarked;
