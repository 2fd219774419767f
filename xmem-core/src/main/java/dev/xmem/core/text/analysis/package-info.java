/**
 * Words: which entries a request in plain words, or a regular expression, means.
 *
 * <p>The door is {@link dev.xmem.core.words.WordIndex} (the word postings of one log),
 * {@link dev.xmem.core.words.WordSearch} (a request over several such logs, ranked) and
 * {@link dev.xmem.core.words.BoundedRegex} (a user's pattern that always ends). Everything else serves these three:
 *
 * <ul>
 *   <li>{@link dev.xmem.core.words.Analyzer} cuts text into terms: words are folded to lower case without diacritics and
 *       stemmed, identifiers, paths and error codes are kept whole and split, stop words go, negations stay.
 *   <li>{@link dev.xmem.core.words.Lexicon} is what the room knows about how people talk of failures, as readable text
 *       files beside the classes: stop words, irregular forms, words that mean the same, and <em>causes</em>: phrases
 *       such as "already exists", "is taken", {@code EEXIST}, that all say one thing. A cause found in a text is a term
 *       of its own, in entries and in requests, so that a request need not use the error's words.
 *   <li>{@link dev.xmem.core.words.Ranker} scores with BM25 over weighted fields.
 * </ul>
 *
 * <p>Nothing here depends on a locale, a clock or the order in which threads run: the same entries and the same request
 * give the same scores, to the bit, on every machine.
 */
@NullMarked
package dev.xmem.core.text.analysis;

import org.jspecify.annotations.NullMarked;
