/** Tests of a store that also asks others, of what is private, and of the folders where programs keep stores. */
@NullMarked
package dev.xmem.core.layers;

import org.jspecify.annotations.NullMarked;
