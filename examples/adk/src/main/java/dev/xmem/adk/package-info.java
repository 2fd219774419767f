/** An adapter that gives agents of Google ADK an experience memory. */
@NullMarked
package dev.xmem.adk;

import org.jspecify.annotations.NullMarked;
