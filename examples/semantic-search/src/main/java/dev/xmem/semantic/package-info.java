/** Finds entries that say the same in other words, with a small sentence transformer that runs in the process. */
@NullMarked
package dev.xmem.semantic;

import org.jspecify.annotations.NullMarked;
