@NullMarked
package dev.xmem.semantic;

import org.jspecify.annotations.NullMarked;
