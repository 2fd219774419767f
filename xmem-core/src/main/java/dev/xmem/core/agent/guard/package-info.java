/**
 * Memory at the tool call. {@link dev.xmem.core.guard.Guard} stands between an agent and the store: it never throws, waits
 * for a recall no longer than its limit, keeps what is new for later, and forgets the least used of its state.
 *
 * <p>A report goes through these steps: the first verdict on a call id stands ({@code ReportedCalls}); what the memory itself
 * said is taken out of the tool's output ({@code SelfEchoFilter}); what is not worth a line is told apart ({@code TrivialFailures}, {@code
 * Typos}, {@code OutputClassifier}, {@code TransientFailures}); the recall runs on another thread under a limit ({@code BoundedWait}); what is
 * new goes into a queue ({@code Outbox}) that a background thread writes. Calls that belong together are a {@code Session}:
 * it finds the call that worked after one that failed ({@code RetryPair}) and the advice that was followed ({@code
 * Followed}). {@code WarningCache} holds what is said before a call, ready in memory.
 *
 * <p>What is said about tools and languages is data: {@code trivial.txt}, {@code output.txt} and {@code frustration.txt}
 * beside these classes.
 */
@NullMarked
package dev.xmem.core.agent.guard;

import org.jspecify.annotations.NullMarked;
