@NullMarked
package dev.xmem.springboot;

import org.jspecify.annotations.NullMarked;
