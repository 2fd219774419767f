@NullMarked
package dev.xmem.springai;

import org.jspecify.annotations.NullMarked;
