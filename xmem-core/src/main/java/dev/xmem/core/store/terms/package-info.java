/**
 * The inverted index of the words of entries: term tables, posting lists and their iterators. The newest lines are indexed
 * in memory; sealed segments implement the same interface.
 */
@NullMarked
package dev.xmem.core.store.terms;

import org.jspecify.annotations.NullMarked;
