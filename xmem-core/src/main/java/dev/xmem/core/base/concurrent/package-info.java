/** A serial scheduler on a shared executor, and values that are created on first use. */
@NullMarked
package dev.xmem.core.base.concurrent;

import org.jspecify.annotations.NullMarked;
