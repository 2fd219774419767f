/**
 * What a store reports about itself: JFR events ({@link dev.xmem.core.base.trace.StoreEvent}), latencies ({@link
 * dev.xmem.core.base.trace.LatencyHistogram}) and log messages ({@link dev.xmem.core.base.trace.Log}).
 *
 * <p>The events record what a store did and how long it took. They contain no text of an entry. Their cost is not
 * measurable while no recording runs. To see them, run {@code java -XX:StartFlightRecording=filename=x.jfr …}, then
 * {@code jfr print --categories xmem x.jfr}.
 */
@NullMarked
package dev.xmem.core.base.trace;

import org.jspecify.annotations.NullMarked;
