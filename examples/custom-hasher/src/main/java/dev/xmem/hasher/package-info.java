/** Groups failures by the codes of one vendor. */
@NullMarked
package dev.xmem.hasher;

import org.jspecify.annotations.NullMarked;
