/**
 * Measures whether failures happen again, with real tools and an agent that follows one fixed policy, with and
 * without a memory. Start with {@link dev.xmem.benchmarks.repeat.RepeatFailure}.
 */
@NullMarked
package dev.xmem.benchmarks.repeat;

import org.jspecify.annotations.NullMarked;
