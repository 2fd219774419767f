/**
 * Lines and entries. Only this package knows the names of the fields, their order and their defaults.
 *
 * <p>{@link dev.xmem.core.base.json.Schema} lists the fields of each kind of line; start there. {@link
 * dev.xmem.core.base.json.LineCodec} reads and writes lines with a streaming parser; {@code LineFields} reads those in
 * the form of a store without it. A reader of a log needs only the {@link dev.xmem.core.base.json.IndexedFields} of a
 * line; the entry itself, created by {@link dev.xmem.core.base.json.StoredEntries}, keeps the bytes and decodes a field
 * when it is first read.
 *
 * <p>The bytes of a line are never changed. A line that is not valid UTF-8 is read with U+FFFD in place of every bad
 * sequence, as {@code jq} does. A field of an unexpected type is converted if possible and ignored otherwise; it never
 * makes a line invalid. Decision: docs/adr/0020-two-dependencies.md.
 */
@NullMarked
package dev.xmem.core.base.json;

import org.jspecify.annotations.NullMarked;
