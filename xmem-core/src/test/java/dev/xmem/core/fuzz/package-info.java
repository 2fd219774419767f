/** Parsers of hostile bytes: fuzzed under the profile {@code fuzz}, and the kept corpus read again in every run. */
@org.jspecify.annotations.NullMarked
package dev.xmem.core.fuzz;
