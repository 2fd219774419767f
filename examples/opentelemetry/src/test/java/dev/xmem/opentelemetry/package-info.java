@NullMarked
package dev.xmem.opentelemetry;

import org.jspecify.annotations.NullMarked;
