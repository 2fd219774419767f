/**
 * Faults: failing disks, killed processes, power cuts, damaged bytes, full disks, many processes, long runs. The suites
 * are described in docs/RELIABILITY.md.
 */
@org.jspecify.annotations.NullMarked
package dev.xmem.core.faults;
