@NullMarked
package dev.xmem.core.segment;

import org.jspecify.annotations.NullMarked;
