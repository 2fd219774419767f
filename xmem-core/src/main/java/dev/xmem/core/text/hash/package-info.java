/**
 * The context hash: which events are one family.
 *
 * <p>{@link dev.xmem.core.hash.SlugHasher} makes {@code tool-action-pattern} of an event in four steps: the command line
 * ({@link dev.xmem.core.hash.CommandLine}) gives tool and operation; the error's lines are ranked by how likely they carry the
 * diagnosis ({@code SalientLines}); codes, exception classes and a lexicon of causes name what went wrong ({@code ErrorCodes},
 * {@code CauseLexicon}); what no rule knows is masked and reduced to its diagnostic words ({@code TokenizedLine}). The rules are data, in
 * {@code causes.txt}, {@code codes.txt}, {@code lines.txt}, {@code tools.txt} and {@code words.txt} beside these classes.
 *
 * <p>{@link dev.xmem.core.hash.Excerpt} decides what of an error is stored; hashing and storing see the same text.
 *
 * <p>Everything here is stateless, total and bounded: a text is looked at through its first and last kilobytes, a line
 * through its first thousand characters, and no rule backtracks.
 */
@NullMarked
package dev.xmem.core.text.hash;

import org.jspecify.annotations.NullMarked;
