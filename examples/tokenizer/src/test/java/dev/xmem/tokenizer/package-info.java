@NullMarked
package dev.xmem.tokenizer;

import org.jspecify.annotations.NullMarked;
