@NullMarked
package dev.xmem.core.store.segment;

import org.jspecify.annotations.NullMarked;
