/** Memory at the tool call, mostly through the public surface. */
@NullMarked
package dev.xmem.core.agent.guard;

import org.jspecify.annotations.NullMarked;
