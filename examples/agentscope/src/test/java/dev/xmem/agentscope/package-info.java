@NullMarked
package dev.xmem.agentscope;

import org.jspecify.annotations.NullMarked;
