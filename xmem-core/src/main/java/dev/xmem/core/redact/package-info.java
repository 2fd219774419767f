/**
 * What must not be stored goes out here, before anything else sees the text: hash, disk, index, log and page only know
 * what {@link dev.xmem.core.redact.Redaction} let through.
 */
@NullMarked
package dev.xmem.core.redact;

import org.jspecify.annotations.NullMarked;
