/** The guard on spans of OpenTelemetry, and failures recorded from spans. */
@NullMarked
package dev.xmem.opentelemetry;

import org.jspecify.annotations.NullMarked;
