/** The dialects of coding agents: their events as JSON, and what they read from the output of a hook. */
@NullMarked
package dev.xmem.hooks.dialect;

import org.jspecify.annotations.NullMarked;
