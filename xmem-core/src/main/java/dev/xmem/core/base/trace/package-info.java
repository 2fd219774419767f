/**
 * Events of the JDK Flight Recorder: what a store did and how long it took. They cost nothing that can be measured while no
 * recording runs. To see them: {@code java -XX:StartFlightRecording=filename=x.jfr …}, then {@code jfr print --categories
 * xmem x.jfr}. No text of an entry is in them.
 */
@NullMarked
package dev.xmem.core.base.trace;

import org.jspecify.annotations.NullMarked;
