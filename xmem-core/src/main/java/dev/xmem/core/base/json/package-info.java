/**
 * An entry and its line: the one place that knows field names, their order and their defaults. {@link
 * dev.xmem.core.record.LineCodec} reads and writes lines by streaming; {@link dev.xmem.core.record.StoredLine} is a line
 * that is parsed when a field of it is asked for; {@link dev.xmem.core.record.Schema} says what a line of each kind holds.
 *
 * <p>Bytes are kept as they are. A line that is not valid UTF-8 is read as if every bad sequence were U+FFFD, which is
 * what {@code jq} does; a field of an unexpected type is read as what it can stand for, never refused.
 */
@NullMarked
package dev.xmem.core.base.json;

import org.jspecify.annotations.NullMarked;
