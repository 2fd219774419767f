/**
 * The path of an append: {@code DraftProcessor} validates, redacts and hashes a draft, {@code Appender} takes the lock,
 * {@code BatchEncoder} assigns ids and encodes the lines, and {@code GroupCommit} shares one fsync among threads.
 */
@NullMarked
package dev.xmem.core.write;

import org.jspecify.annotations.NullMarked;
