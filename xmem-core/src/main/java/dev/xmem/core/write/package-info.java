/**
 * The path of an append. Read the classes in the order in which an entry passes through them:
 *
 * <ol>
 *   <li>{@code DraftProcessor} turns a draft into a {@code PreparedEntry}: {@code DraftRedactor} parses it and removes
 *       secrets, {@code DraftValidator} checks types and limits, then the entry is hashed. No file is touched.
 *   <li>{@code Appender} decides whether the batch shares a group commit or is written alone.
 *   <li>{@code GroupCommit} collects the {@code PendingBatch}es of concurrent threads; one thread leads and writes all.
 *   <li>{@code BatchWriter} takes the locks ({@code StoreLocks}), refreshes the index from the logs, and writes.
 *   <li>{@code BatchEncoder} assigns times and ids and encodes the lines into one buffer.
 *   <li>{@link dev.xmem.core.store.log.LogFile#append} writes the buffer. This is the commit point.
 *   <li>The lines are added to the {@link dev.xmem.core.store.index.LogIndex}. After the locks are released the log
 *       is fsynced: by {@code GroupCommit} for all of a group, or by {@code Appender} for a batch that is alone.
 * </ol>
 *
 * <p>{@code AnnotationWriter} appends outcomes and amendments along the same path.
 *
 * <p><strong>Lock order.</strong> The lock of the store, the lock of the global directives, the lock of the {@code
 * LogRegistry}. The fsync lock of a log file is taken alone, after these are released. {@code GroupCommit} takes none
 * of them while it holds its own lock.
 *
 * <p><strong>Crashes.</strong> Everything that can be refused is refused before the first byte is written. A batch of
 * one kind is one write. If the process dies during that write, the torn last line is sealed by the next append and
 * reported by {@code verify}. What is derived from the logs, the index included, is rebuilt from them.
 */
@NullMarked
package dev.xmem.core.write;

import org.jspecify.annotations.NullMarked;
