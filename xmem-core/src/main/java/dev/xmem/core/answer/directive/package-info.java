/**
 * What the user decided. A directive is the fold of all lines with its scope and dedupe key, in whichever file and order
 * they stand and however often: {@link dev.xmem.core.directive.Fold}. {@link dev.xmem.core.directive.Conflicts} decides
 * between directives that oppose each other, {@link dev.xmem.core.directive.Book} has what is left, in the order in which
 * it is shown. {@link dev.xmem.core.directive.DirectiveDraft} makes of a draft what can be stored.
 *
 * <p><strong>Fold.</strong> Lines are taken in the order of their times, then of their bytes; identical ones count once.
 * The first gives id and the strength to start from, every other adds one; the last gives time, kind, triple and
 * sentence; tags are joined.
 *
 * <p><strong>Conflicts.</strong> Two directives oppose each other when they say another object of the same subject and
 * predicate. Local ones win over global ones. Within a scope a constraint wins over what is none, else the newer one
 * wins. Constraints among themselves, and directives of the same time, all stay and get the tag {@code conflict}.
 *
 * <p><strong>Order.</strong> The number of own tags that the request names, then constraint before rule before preference,
 * then strength, then time, then the key.
 */
@NullMarked
package dev.xmem.core.answer.directive;

import org.jspecify.annotations.NullMarked;
