@NullMarked
package dev.xmem.mcp;

import org.jspecify.annotations.NullMarked;
