/**
 * Runs a user's regular expression with a bound on its work, so that no pattern can hang a query.
 *
 * <p>{@link dev.xmem.core.text.regex.BoundedRegex} compiles, matches, and counts the characters that all matches of a
 * query read. {@link dev.xmem.core.text.regex.RegexInspector} rejects the patterns whose work cannot be counted, and
 * finds a literal to search for first.
 */
@NullMarked
package dev.xmem.core.text.regex;

import org.jspecify.annotations.NullMarked;
