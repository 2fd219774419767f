/**
 * Sealed index files: what is known of a stretch of a log, written once and then only read, where it lies. {@link
 * dev.xmem.core.segment.SegmentWriter} makes the bytes of one, {@link dev.xmem.core.segment.Segment} reads them through a
 * mapped buffer; {@link dev.xmem.core.segment.Dictionary} is the one structure in it that is searched. The bytes are
 * described in {@code docs/FORMAT.md}.
 *
 * <p>A segment is derived: one that is damaged, cut, of another version or of other bytes than the log has is as good as
 * none, and made again.
 */
@NullMarked
package dev.xmem.core.store.segment;

import org.jspecify.annotations.NullMarked;
