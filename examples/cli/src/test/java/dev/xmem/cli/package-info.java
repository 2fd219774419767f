@NullMarked
package dev.xmem.cli;

import org.jspecify.annotations.NullMarked;
