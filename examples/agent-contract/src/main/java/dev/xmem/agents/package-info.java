/** What an agent with a memory does, whatever framework it is built with: a contract for adapters. */
@NullMarked
package dev.xmem.agents;

import org.jspecify.annotations.NullMarked;
