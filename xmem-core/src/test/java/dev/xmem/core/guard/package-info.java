/** Memory at the tool call, mostly through the public surface. */
@NullMarked
package dev.xmem.core.guard;

import org.jspecify.annotations.NullMarked;
