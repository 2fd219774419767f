/**
 * Directives: the rules, preferences and constraints of the user. A directive is the fold of all lines with its scope
 * and dedupe key, in whichever files and order they are and however often.
 *
 * <p>Read {@link dev.xmem.core.answer.directive.DirectiveDraft} first: it prepares the fields of a line before it is
 * stored. {@link dev.xmem.core.answer.directive.DirectiveReader} reads the lines of a snapshot, and makes one {@code
 * FoldedDirective} of the lines with one key; the reader decides between directives that contradict
 * each other. The result is {@link dev.xmem.core.answer.directive.ActiveDirectives}, which also ranks them.
 *
 * <p><strong>Fold.</strong> Lines are ordered by time, then by strength and bytes; identical lines count once. The
 * first line gives the id and the initial strength, and every other line adds one. The last line gives time, kind,
 * triple and sentence. Tags are joined.
 *
 * <p><strong>Conflicts.</strong> Two directives contradict each other if they have the same subject and predicate and
 * different objects. Local directives win over global ones. Within a scope a constraint wins over rules and
 * preferences, otherwise the newer directive wins. Constraints that contradict each other, and directives of the same
 * time, all stay and get the tag {@code conflict}.
 *
 * <p><strong>Order.</strong> By the number of tags that the request names, then constraints before rules before
 * preferences, then by strength, by time, and by key.
 */
@NullMarked
package dev.xmem.core.answer.directive;

import org.jspecify.annotations.NullMarked;
