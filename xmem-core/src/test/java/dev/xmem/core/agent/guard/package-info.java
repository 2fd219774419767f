/** The tests of the guard, mostly through the public API. */
@NullMarked
package dev.xmem.core.agent.guard;

import org.jspecify.annotations.NullMarked;
