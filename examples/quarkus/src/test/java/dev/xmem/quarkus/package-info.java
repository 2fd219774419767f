@NullMarked
package dev.xmem.quarkus;

import org.jspecify.annotations.NullMarked;
