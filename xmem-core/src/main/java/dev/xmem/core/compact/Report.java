package dev.xmem.core.compact;

import dev.xmem.CompactionReport;
import java.nio.file.Path;

/** What was done. */
public record Report(long removed, Path backup, boolean completed) implements CompactionReport {}
