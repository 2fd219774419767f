package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionReport;
import java.nio.file.Path;

/** What was done. */
record CompactionResult(long removed, Path backup, boolean completed) implements CompactionReport {}
