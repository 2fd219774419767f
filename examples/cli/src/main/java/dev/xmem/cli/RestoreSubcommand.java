package dev.xmem.cli;

import dev.xmem.CompactionReport;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem restore}: restores a backup that a compaction made. */
@Command(
        name = "restore",
        description = {
            "Restores the lines of a backup in place of the lines that a compaction made of them. Entries"
                    + " recorded since then stay. The current files are first copied to another backup."
        },
        footerHeading = "%nExample:%n",
        footer = {"  xmem restore \"$(ls data/backup | tail -1)\""})
final class RestoreSubcommand extends Subcommand {
    @Parameters(paramLabel = "BACKUP", description = "A directory in data/backup, or its name.")
    Path backup = Path.of("");

    @Override
    public Integer call() throws IOException {
        try (XMemStore store = root.stores().openExisting()) {
            CompactionReport report =
                    BusyRetry.call(() -> store.restore(Path.of(String.valueOf(backup.getFileName()))));
            return answer(root.json ? CompactSubcommand.json(report) : text(report));
        }
    }

    /** Names the backup of what was there before only if there was something to replace. */
    private String text(CompactionReport report) {
        return "The lines of " + backup.getFileName() + " are in the logs again"
                + (report.removed() == 0 ? "" : ", in place of " + CountedNoun.of(report.removed(), "line"))
                + (Files.isDirectory(report.backup()) ? "; backup: " + report.backup() : "");
    }
}
