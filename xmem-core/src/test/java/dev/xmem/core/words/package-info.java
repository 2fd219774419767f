@NullMarked
package dev.xmem.core.words;

import org.jspecify.annotations.NullMarked;
