/** Evidence for the context hash: corpora of real errors, stability under renaming, the excerpt's fixed point, hostile text. */
@NullMarked
package dev.xmem.core.hash;

import org.jspecify.annotations.NullMarked;
