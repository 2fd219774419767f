/** A memory for agents of Spring AI. */
@NullMarked
package dev.xmem.springai;

import org.jspecify.annotations.NullMarked;
