/** Tests of the redaction: its rules and texts, its properties, its bounds. */
@NullMarked
package dev.xmem.core.text.redact;

import org.jspecify.annotations.NullMarked;
