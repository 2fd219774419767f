/** An adapter that gives chat clients of Spring AI an experience memory. */
@NullMarked
package dev.xmem.springai;

import org.jspecify.annotations.NullMarked;
