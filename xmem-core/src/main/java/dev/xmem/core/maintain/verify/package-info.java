/**
 * Keeps what is derived from the logs up to date, checks it, and repairs it.
 *
 * <p>In the background {@code IndexJsonWriter} writes {@code index.json} and {@code SegmentFlusher} writes segments.
 * {@code IntegrityChecker} implements {@code verify}: {@code LogVerifier} reads every line of every log, then
 * checksums, segments and {@code index.json} are compared with the logs. {@code IndexRecovery} runs every query and
 * every change, and rebuilds the index if an operation fails as it can only fail on a corrupt one.
 */
@NullMarked
package dev.xmem.core.maintain.verify;

import org.jspecify.annotations.NullMarked;
