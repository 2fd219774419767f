package dev.xmem.core.maintain.compact;

import java.nio.file.Path;

/**
 * Where a compaction writes beside the logs.
 *
 * @param backups in a folder of its time each, what was replaced
 * @param archives older lines by month
 * @param quarantine lines that are no entries
 * @param mutex keeps another compaction away
 */
record CompactionPaths(Path backups, Path archives, Path quarantine, Path mutex) {}
