/** A token estimator that counts tokens with a byte-pair encoding. */
@NullMarked
package dev.xmem.tokenizer;

import org.jspecify.annotations.NullMarked;
