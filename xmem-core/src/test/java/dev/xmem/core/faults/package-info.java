/**
 * What becomes of a store when something goes wrong: a disk that fails, a process that is killed, a power cut, damaged
 * bytes, a full disk, many processes, long runs. The suites are named in docs/RELIABILITY.md.
 */
@org.jspecify.annotations.NullMarked
package dev.xmem.core.faults;
