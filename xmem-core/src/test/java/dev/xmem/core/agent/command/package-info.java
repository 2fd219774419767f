/** The tests of the slash commands. */
@NullMarked
package dev.xmem.core.agent.command;

import org.jspecify.annotations.NullMarked;
