/** Meters of a store and of its guard, for Micrometer. */
@NullMarked
package dev.xmem.micrometer;

import org.jspecify.annotations.NullMarked;
