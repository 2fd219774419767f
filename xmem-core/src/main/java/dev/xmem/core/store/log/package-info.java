/**
 * Append-only logs. A log is a plain NDJSON file; logs are the only source of truth of a store, everything else is
 * derived.
 *
 * <p>{@link dev.xmem.core.store.log.LogFile} is one log; start there. It splits bytes into lines with a {@code
 * LineReader}, gives them to a {@link dev.xmem.core.store.log.LineSink}, and keeps the newest blocks in a {@code
 * BlockCache}.
 *
 * <h2>The format</h2>
 * One JSON object per line, in UTF-8, ended by a newline. There is no header and no checksum, so that {@code jq} and
 * shell scripts can read and append:
 *
 * <pre>{@code
 * {"id":"2026-02-14-001","ts":"2026-02-14T16:30:00Z","type":"tool_failure","tool":"rclone","action":"sync a:b /c", … }
 * {"id":"2026-02-14-002","ts":"2026-02-14T16:30:01.250Z","type":"tool_success","tool":"git", … }
 * }</pre>
 *
 * <h2>Lines of other programs</h2>
 * A reader ignores a byte order mark, carriage returns and empty lines. A line that is not a JSON object, or is longer
 * than the limit, is skipped, counted and reported with its offset; its bytes stay. A last line without a newline is an
 * entry if it is a complete object; otherwise another program may still be writing it, and the reader leaves it alone.
 *
 * <h2>Appends</h2>
 * {@link dev.xmem.core.store.log.LogFile#append} writes a whole batch with one {@code write}: <strong>the commit
 * point</strong>. If the file ends with a torn line, the same write begins with a newline, so that the torn line is
 * neither cut off nor joined to the next one. A crash loses at most entries that were not acknowledged: of the batch
 * that was being written, a prefix of its lines may be in the log, then one torn line. After the commit point the
 * entries exist, even if the caller never receives an answer.
 */
@NullMarked
package dev.xmem.core.store.log;

import org.jspecify.annotations.NullMarked;
