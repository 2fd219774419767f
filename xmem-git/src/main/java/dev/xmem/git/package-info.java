/** The place of the git backend. */
@NullMarked
package dev.xmem.git;

import org.jspecify.annotations.NullMarked;
