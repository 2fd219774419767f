/**
 * {@link dev.xmem.benchmarks.repeat.RepeatFailure}: whether failures happen again, with real tools and an agent that
 * follows one fixed policy, with and without a memory.
 */
@NullMarked
package dev.xmem.benchmarks.repeat;

import org.jspecify.annotations.NullMarked;
