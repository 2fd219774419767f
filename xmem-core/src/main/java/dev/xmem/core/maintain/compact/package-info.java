/**
 * Makes a store smaller without losing what it knows. A {@link dev.xmem.core.compact.Plan} names every line that goes and
 * why; {@link dev.xmem.core.compact.Compactor} carries it out and touches nothing else.
 *
 * <p><strong>Order.</strong> Backup, quarantine and archive are written and synced first; then each log is written anew
 * beside the old one, without a lock, and renamed into place under the store's mutex, after the lines that were appended
 * meanwhile were added. A crash between any two steps shows nothing twice and loses nothing: identical lines are one entry,
 * and a line that covers others hides them.
 */
@NullMarked
package dev.xmem.core.maintain.compact;

import org.jspecify.annotations.NullMarked;
