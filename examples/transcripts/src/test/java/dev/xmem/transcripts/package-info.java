@NullMarked
package dev.xmem.transcripts;

import org.jspecify.annotations.NullMarked;
