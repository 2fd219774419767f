@NullMarked
package dev.xmem.page;

import org.jspecify.annotations.NullMarked;
