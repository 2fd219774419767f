/**
 * Lines to durable bytes. A log is a plain NDJSON file and the only truth; everything else in a store is derived.
 *
 * <h2>The format</h2>
 * One JSON object a line, UTF-8, each line ended by one newline. No header, no checksum, nothing that {@code jq} or a shell
 * script would trip over:
 *
 * <pre>{@code
 * {"id":"2026-02-14-001","ts":"2026-02-14T16:30:00Z","type":"tool_failure","tool":"rclone","action":"sync a:b /c", … }
 * {"id":"2026-02-14-002","ts":"2026-02-14T16:30:01.250Z","type":"tool_success","tool":"git", … }
 * }</pre>
 *
 * <h2>What a reader does with what others wrote</h2>
 * A byte order mark, carriage returns and empty lines are passed over. A line that is no JSON object, or is longer than
 * the limit, is skipped, counted and reported with its offset; its bytes stay. A last line without a newline counts if it
 * is a whole object; else it may still be growing and is left alone.
 *
 * <h2>What an append does</h2>
 * {@link dev.xmem.core.log.LogFile#append} hands a whole batch to one {@code write}: <strong>the commit point</strong>. A
 * torn last line is first sealed off by a newline, in the same write; it is never cut away and can never swallow the
 * next line. A crash costs at most what was not acknowledged: of the batch that was being written a prefix of lines may
 * be there, then one torn line. After the commit point the entry exists even if the caller is never told.
 */
@NullMarked
package dev.xmem.core.store.log;

import org.jspecify.annotations.NullMarked;
