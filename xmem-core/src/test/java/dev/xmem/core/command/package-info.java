/** What the tests of the slash commands share. */
@NullMarked
package dev.xmem.core.command;

import org.jspecify.annotations.NullMarked;
