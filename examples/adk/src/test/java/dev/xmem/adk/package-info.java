@NullMarked
package dev.xmem.adk;

import org.jspecify.annotations.NullMarked;
