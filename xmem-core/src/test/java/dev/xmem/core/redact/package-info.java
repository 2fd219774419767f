/** Tests of the redaction: its rules and texts, its properties, its bounds. */
@NullMarked
package dev.xmem.core.redact;

import org.jspecify.annotations.NullMarked;
