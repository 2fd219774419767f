/**
 * The bytes of segment files, and the structures in them. A segment is what the index knows of consecutive lines of a
 * log, written once and then read where it lies, through a mapped buffer.
 *
 * <p><strong>Where to begin.</strong> {@code SectionIds} lists all sections of a file with what their bytes are.
 * {@link dev.xmem.core.store.segment.SectionWriter} frames sections with checksums,
 * {@link dev.xmem.core.store.segment.SectionFile} reads them and checks each when it is first used. A section is
 * written and read by one class:
 *
 * <ul>
 *   <li>{@link dev.xmem.core.store.segment.SegmentHeader}: which bytes of which log the segment is of;
 *   <li>{@link dev.xmem.core.store.segment.SegmentReader}: the columns of the lines and the posting lists of their
 *       fields, declared by {@link dev.xmem.core.store.segment.LineColumns} and
 *       {@link dev.xmem.core.store.segment.IndexedField};
 *   <li>{@link dev.xmem.core.store.segment.SegmentStatistics}: counts by kind, tool, tag, day and time;
 *   <li>{@link dev.xmem.core.store.segment.SegmentTextIndex}: words;
 *   <li>{@link dev.xmem.core.store.segment.NgramFilter}: trigrams and pairs of words, which bound where a text can be.
 * </ul>
 *
 * <p>{@code TermDictionary} is the structure of sorted keys with values that a look-up by name searches.
 * {@link dev.xmem.core.store.segment.Postings} are ascending ordinals, in memory
 * ({@link dev.xmem.core.store.segment.GrowablePostings}), in a file ({@code EncodedPostings}), or all lines of some
 * blocks ({@code NgramFilter.BlockPostings}).
 *
 * <p>A segment is derived. One that is damaged, cut, of another version, or of other bytes than the log has is not
 * used, and is made again. The bytes are described in {@code docs/FORMAT.md}, too.
 */
@NullMarked
package dev.xmem.core.store.segment;

import org.jspecify.annotations.NullMarked;
