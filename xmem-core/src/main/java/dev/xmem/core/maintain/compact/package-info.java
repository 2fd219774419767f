/**
 * Makes logs smaller without losing what they say: compaction, its undoing (restore), and erasure (purge).
 *
 * <p>{@code Maintenance} is the entry point. A compaction is planned by {@code Planner}, which reads a snapshot and
 * returns a {@code Plan}: for each log the lines that change or leave and why. {@code DuplicateFinder} groups the lines
 * that describe the same failure or success, {@code EntryMerger} makes one line of a group. {@code Compactor} carries
 * the plan out and touches nothing else: {@code Backup} and {@code Archive} first, then one {@code LogRewriter} for
 * each log. {@code BackupRestore} and {@code Eraser} make plans of their own and use the same rewriter.
 *
 * <p><strong>Order.</strong> Backup, quarantine and archive are written and synced first. Then each log is rewritten to
 * a temporary file beside it without a lock, and renamed into place under the store's lock after the lines that were
 * appended meanwhile were copied. A crash between any two steps loses nothing and shows nothing twice: identical lines
 * are one entry, and a line that covers others hides them.
 *
 * <p><strong>Locks.</strong> First the compaction lock, which admits one compaction, restore or purge over all
 * processes; then, for the rename only, the store's lock and the lock of the {@code LogRegistry}. Decision:
 * docs/adr/0011-compaction.md.
 */
@NullMarked
package dev.xmem.core.maintain.compact;

import org.jspecify.annotations.NullMarked;
