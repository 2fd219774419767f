/**
 * Reads what coding agents have written: their transcripts, one reader per format. {@code Transcripts} finds and opens
 * them, {@code TranscriptImport} records their failures in a store, and {@code TranscriptReplay} counts how many of
 * them were repeats.
 */
@NullMarked
package dev.xmem.transcripts;

import org.jspecify.annotations.NullMarked;
