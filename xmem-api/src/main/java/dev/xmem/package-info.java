/**
 * The public API of the experience memory. Start with {@link dev.xmem.XMemStore}.
 *
 * <p>Drafts and queries go in: immutable final classes whose setters return a copy. Entries and pages come out:
 * read-only interfaces that only xmem implements, so that methods may be added in a minor release. JSON objects are
 * passed as JSON text. All types are thread-safe unless they state otherwise. Parameters and results are never null
 * unless annotated {@code @Nullable}; a null argument throws {@link NullPointerException}.
 */
@NullMarked
package dev.xmem;

import org.jspecify.annotations.NullMarked;
