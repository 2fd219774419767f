/**
 * Text analysis: turns text into the terms of the index and of queries.
 *
 * <p>Read {@link dev.xmem.core.text.analysis.Analyzer} first. It folds text, cuts it into chunks and passes terms to a
 * {@link dev.xmem.core.text.analysis.TokenConsumer}: the indexer, or for queries a
 * {@link dev.xmem.core.text.analysis.TermCollector}. On the way
 *
 * <ul>
 *   <li>{@link dev.xmem.core.text.analysis.CompoundSplitter} splits a chunk into words, identifiers and paths;
 *   <li>{@link dev.xmem.core.text.analysis.Stemmer} stems words, through a
 *       {@link dev.xmem.core.text.analysis.StemCache};
 *   <li>{@link dev.xmem.core.text.analysis.TokenBuffer} records the tokens of a chunk, and
 *       {@link dev.xmem.core.text.analysis.TextCache} keeps them, so that they are replayed where the chunk recurs;
 *   <li>{@link dev.xmem.core.text.analysis.LexiconPhrases} matches the phrases of the
 *       {@link dev.xmem.core.text.analysis.Lexicon}. The lexicon is a set of text files: stop words, irregular forms,
 *       synonyms, and <em>causes</em>, which are phrases such as "already exists", "is taken" and {@code EEXIST} that
 *       mean the same. A cause found in a text is a term of its own, so a query need not use the words of the error.
 * </ul>
 *
 * <p>{@link dev.xmem.core.text.analysis.RankingParameters} holds the constants of ranking. Nothing here depends on a
 * locale, a clock or the order of threads: the same entries and the same query give the same scores, to the bit, on
 * every machine.
 */
@NullMarked
package dev.xmem.core.text.analysis;

import org.jspecify.annotations.NullMarked;
