@NullMarked
package dev.xmem.hasher;

import org.jspecify.annotations.NullMarked;
