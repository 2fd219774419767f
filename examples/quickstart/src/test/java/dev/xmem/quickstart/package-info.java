@NullMarked
package dev.xmem.quickstart;

import org.jspecify.annotations.NullMarked;
