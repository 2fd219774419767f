/** The quickstart: real commands fail, what helped is written down, and comes back when their like fail again. */
@NullMarked
package dev.xmem.quickstart;

import org.jspecify.annotations.NullMarked;
