/**
 * The experience memory as a caller sees it. {@link dev.xmem.XMemStore} is the one type to learn: drafts and queries go
 * in (immutable final classes, every setter returns a copy), entries and pages come out (read-only interfaces that only
 * xmem implements, so that methods may be added in a minor release). JSON objects cross this surface as JSON text.
 */
@NullMarked
package dev.xmem;

import org.jspecify.annotations.NullMarked;
