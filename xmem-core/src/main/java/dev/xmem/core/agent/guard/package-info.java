/**
 * The guard of tool calls. {@link dev.xmem.core.agent.guard.Guard} is called before and after each tool call of an
 * agent: it gives warnings, recalls failures and records new ones. It never throws, waits for a recall up to a time
 * limit, and leaves all writes to a background thread.
 *
 * <p>Start with {@code Guard}, then read along the path of a report:
 *
 * <ol>
 *   <li>{@code ReportedCalls} finds a second report of the same call id. {@code CallTruncation} bounds the call and the
 *       error; advice of the store itself is cut out of the output.
 *   <li>{@code ResultJudge} decides about a result without a non-zero exit code: the output by {@code
 *       OutputClassifier}, the session's failures by {@code OutputLines}, and whose exit code it is by {@code
 *       CommandLine.works}.
 *   <li>A failure goes to {@code FailureHandler}. {@code TrivialFailures} and {@code TypoDetector} reject
 *       what is not worth recording. The recall runs on another thread, under a {@code
 *       BoundedWait}. A new failure goes to the {@code WriteQueue}.
 *   <li>A success goes to {@code SuccessHandler}. {@code RetryPair} is a success after a similar failure of the same
 *       {@code Session}; {@code Suggestion} decides which advice the agent followed. Both use {@code CallDiff}.
 *   <li>{@code Sessions} keeps the calls of each {@code Session}. A {@code SessionFiles} shares them with other
 *       processes: each {@code SessionEvent} goes to an {@code EventFile}, and {@code Sessions} applies those of
 *       the others. {@code SessionAdvice} adds the repeats of a call, whose working command is unchanged, to the
 *       advice; {@code TransientFailures} finds network failures that repeat.
 *   <li>{@code WarningCache} groups the recorded failures ({@code FailureGroup}) into the warnings before a call.
 *   <li>{@code FrustrationDetector} recognizes complaints of the user: {@code Prose} removes what the user pasted,
 *       {@code WordClasses} finds the features that are weighed, and {@code Phrase} serves languages without weights.
 * </ol>
 *
 * <p>The knowledge about tools and languages is data, beside these classes: {@code trivial.txt}, {@code output.txt},
 * {@code frustration.txt} and {@code complaint-weights.txt}. {@code GuardStore} is the interface to the store.
 */
@NullMarked
package dev.xmem.core.agent.guard;

import org.jspecify.annotations.NullMarked;
