/** A memory for agents of Google ADK. */
@NullMarked
package dev.xmem.adk;

import org.jspecify.annotations.NullMarked;
