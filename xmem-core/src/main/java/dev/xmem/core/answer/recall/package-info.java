/**
 * Recall: finds the advice for a failed call. The path of one recall, from top to bottom:
 *
 * <ol>
 *   <li>{@link dev.xmem.core.answer.recall.Recall} gets a snapshot and the context hash of the failure. Read it first.
 *   <li>{@code RecallContext} holds the input of the recall. It reads lines, hides those that were dismissed or
 *       superseded, and makes {@code Candidate}s.
 *   <li>{@code FailureFamily} makes candidates of the entries with the same context hash. {@code FamilyDigest} keeps
 *       them, with their occurrences and sessions, until a line is added.
 *   <li>{@code KnownFixes} finds the successes that answer these failures.
 *   <li>{@code SimilarFailures} compares the failure with other hashes of the same tool, if the steps before found
 *       neither a lesson nor an answer. {@code DiceSimilarity} compares two texts by their terms.
 *   <li>{@code AdviceFilter} removes candidates that sessions found irrelevant or that {@code HarmDetector} finds
 *       harmful.
 *   <li>Votes, recency, repetition and pins add to the score of a {@code Candidate}; Recall sorts by it.
 *   <li>{@link dev.xmem.core.answer.render.AdviceText} renders the result.
 * </ol>
 *
 * A recall takes no lock and writes nothing.
 */
@NullMarked
package dev.xmem.core.answer.recall;

import org.jspecify.annotations.NullMarked;
