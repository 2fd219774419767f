@NullMarked
package dev.xmem.micrometer;

import org.jspecify.annotations.NullMarked;
