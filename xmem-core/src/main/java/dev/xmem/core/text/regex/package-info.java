/** Runs a user's regular expression with a bound on its steps, so that no pattern can hang a query. */
@NullMarked
package dev.xmem.core.text.regex;

import org.jspecify.annotations.NullMarked;
