/** Runs a process with a memory. */
@NullMarked
package dev.xmem.cli.run;

import org.jspecify.annotations.NullMarked;
