@NullMarked
package dev.xmem.hooks;

import org.jspecify.annotations.NullMarked;
