/**
 * The context hash: maps events of the same kind to the same key.
 *
 * <p>Read {@link dev.xmem.core.text.hash.RuleBasedHasher} first. It computes {@code tool-operation-cause}, without the
 * operation where the cause is told (docs/adr/0126-operation-left-out.md), in four steps:
 *
 * <ol>
 *   <li>{@link dev.xmem.core.text.hash.CommandLine} parses the call into tool and operation. {@code ShellTokenizer}
 *       splits shell lines, {@code JsonCall} reads JSON arguments, {@code OperationParser} and {@code ToolTable} know
 *       the operations of tools.
 *   <li>{@code AnswerText} puts a line in the place of each answer in JSON, XML or HTML, and {@code Languages} the
 *       English message in the place of one in another language. {@code SalientLines} splits the error into lines
 *       ({@code TerminalText}) and ranks them by how likely they carry the diagnosis.
 *   <li>If the best line reports a structured answer ({@code AnswerLine}, {@code AnswerWords}), {@code AnswerCause}
 *       decides. Else {@code CauseClassifier} makes a {@code Diagnosis} of the best lines: by error codes and exception
 *       classes ({@code ErrorCodes}, {@code ExceptionClass}), then by the phrases of {@code CauseLexicon}, which match
 *       over a {@code TokenizedLine}.
 *   <li>If no rule matches, the diagnostic words of the best line are the cause; {@code TokenizedLine} masks everything
 *       that varies.
 * </ol>
 *
 * <p>{@code ShellScript} parses a shell line for the guard, which judges a line by the command that did the work; the
 * hash does not use it. {@link dev.xmem.core.text.hash.Excerpt} selects the part of an error that is stored. The hasher
 * is given exactly this part. The rules are data, in {@code causes.txt}, {@code codes.txt}, {@code lines.txt}, {@code
 * tools.txt}, {@code words.txt} and {@code languages.txt} under {@code src/main/resources/dev/xmem/core/text/hash}.
 *
 * <p>All classes are stateless and never throw. They read a bounded part of a text and of a line, and no rule
 * backtracks without bound. Decision: docs/adr/0009-rules-not-models.md.
 */
@NullMarked
package dev.xmem.core.text.hash;

import org.jspecify.annotations.NullMarked;
