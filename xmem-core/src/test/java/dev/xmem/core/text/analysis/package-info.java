@NullMarked
package dev.xmem.core.text.analysis;

import org.jspecify.annotations.NullMarked;
