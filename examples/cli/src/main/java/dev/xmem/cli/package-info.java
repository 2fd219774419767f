/** The program {@code xmem}: one class a command, and what they share. */
@NullMarked
package dev.xmem.cli;

import org.jspecify.annotations.NullMarked;
