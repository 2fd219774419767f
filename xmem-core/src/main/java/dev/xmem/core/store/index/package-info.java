/**
 * The index of the logs: the lines of each log with their columns, posting lists and text, kept up to date with the
 * files.
 *
 * <p><strong>Where to begin.</strong> {@link dev.xmem.core.store.index.LogRegistry} is the door: it keeps all logs of a
 * store and hands out a {@link dev.xmem.core.store.index.StoreSnapshot}, which every query works on. A snapshot has a
 * {@link dev.xmem.core.store.index.LogSnapshot} for each log: its {@link dev.xmem.core.store.index.LogIndex} up to a
 * line. {@link dev.xmem.core.store.index.LogDiscovery} finds the logs of peers and archives, and {@code MergedFile}
 * reads those of peers as one, in the order that {@code ChunkOrder} keeps. {@code ShadowedLineFinder} finds lines that
 * are no entries of their own, because the same or a covering line is in another log.
 * {@link dev.xmem.core.store.index.EntryReader} turns a line into an entry.
 *
 * <p><strong>The way of a line.</strong> {@code LogIndexer} adds a line that was read or appended to the {@code
 * ActiveSegment}, which holds it in a {@code Memtable}. A full one becomes a {@code Segment}; {@code SegmentSealing}
 * writes it through {@link dev.xmem.core.store.index.SegmentStore} to two files: facts, and, from {@code TextIndexes},
 * words and trigrams; {@code SegmentOpener} opens those that fit the log. {@code SegmentList} is all segments of a log
 * as one {@link dev.xmem.core.store.segment.LineColumns}. The bytes of the files are written and read in the package
 * {@code store.segment}. {@code LineBatch} parses many lines on all cores. {@code IndexCarrier} makes the segments of a
 * log that is compacted of those that it had. All of this is derived from the logs: what is missing or damaged is made
 * again.
 *
 * <p><strong>Threads.</strong> One thread at a time adds lines, under the lock of the registry. A line becomes
 * visible by one volatile write of the count, after its columns were stored; readers of columns take no lock. A
 * reader that asks for a posting list first adds the lines that wait to be in one, under the lock of the {@code
 * Memtable}. A posting list publishes its entries by a volatile write, too, and a reader ignores ordinals from the
 * count on that it began with. Arrays only grow, by copies with the same beginning.
 *
 * <p><strong>Files of this machine.</strong> Beside the segments there are {@link dev.xmem.core.store.index.IndexJson},
 * the {@code index.json} of the X-MEM protocol; {@link dev.xmem.core.store.index.LogChecksums};
 * {@link dev.xmem.core.store.index.IdHighWaterMarks}; and {@link dev.xmem.core.store.index.HasherHistory}.
 */
@NullMarked
package dev.xmem.core.store.index;

import org.jspecify.annotations.NullMarked;
