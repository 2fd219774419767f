/** Tests of redaction: its rules, realistic texts, properties and bounds. */
@NullMarked
package dev.xmem.core.text.redact;

import org.jspecify.annotations.NullMarked;
