/** What the tests of the slash commands share. */
@NullMarked
package dev.xmem.core.agent.command;

import org.jspecify.annotations.NullMarked;
