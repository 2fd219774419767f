/**
 * Benchmarks of xmem beside a lower bound (the floor) and beside the engines that a user could choose instead. All
 * engines store the same {@link dev.xmem.benchmarks.Corpus}.
 *
 * <p>Data flow: a {@link dev.xmem.benchmarks.Corpus} generates entries, a {@code Dataset} adds ids and timestamps,
 * and a {@code DatasetCache} writes it once in the format of each engine. {@code GroundTruth} computes the expected
 * answers by a full scan. {@code BenchmarkFixture} (append and recall, on a {@code Peer}) and {@code SearchTrial}
 * (queries, on an {@code Engine}) check the answers of an engine before JMH measures it.
 */
@NullMarked
package dev.xmem.benchmarks;

import org.jspecify.annotations.NullMarked;
