/**
 * What was learned, at the moment it is needed. {@link dev.xmem.core.recall.Recall} finds what is known of a failure: the
 * earlier ones of its family, those about the same thing first, and the successes that answer them.
 */
@NullMarked
package dev.xmem.core.answer.recall;

import org.jspecify.annotations.NullMarked;
