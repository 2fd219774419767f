/** The contract of an agent with a memory, for any framework: an abstract test that adapters extend. */
@NullMarked
package dev.xmem.agents;

import org.jspecify.annotations.NullMarked;
