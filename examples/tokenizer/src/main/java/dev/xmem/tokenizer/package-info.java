/** Counts tokens as a model does. */
@NullMarked
package dev.xmem.tokenizer;

import org.jspecify.annotations.NullMarked;
