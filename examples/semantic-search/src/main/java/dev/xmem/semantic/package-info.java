/** Semantic search: finds entries with the same meaning but other words, with a sentence transformer in the process. */
@NullMarked
package dev.xmem.semantic;

import org.jspecify.annotations.NullMarked;
