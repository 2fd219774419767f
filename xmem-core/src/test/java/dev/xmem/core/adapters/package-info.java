/** What integrators write, compiled and run: the acceptance test of the public surface. */
@NullMarked
package dev.xmem.core.adapters;

import org.jspecify.annotations.NullMarked;
