/** Finds one entry by its id or a prefix of it, and the successes that are proven enough to become rules. */
@NullMarked
package dev.xmem.core.answer.lookup;

import org.jspecify.annotations.NullMarked;
