package dev.xmem.cli;

import dev.xmem.CompactionReport;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem restore}: a backup in the place of what a compaction made of it. */
@Command(
        name = "restore",
        description = {
            "Brings the lines of a backup back, in the place of those that a compaction made of them. What was recorded since"
                    + " stays. The files as they are go into another backup first."
        },
        footerHeading = "%nExample:%n",
        footer = {"  xmem restore \"$(ls data/backup | tail -1)\""})
final class RestoreCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(paramLabel = "BACKUP", description = "A folder in data/backup, or its name.")
    Path backup = Path.of("");

    RestoreCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        try (XMemStore store = root.stores().changing()) {
            CompactionReport report =
                    Patience.until(() -> store.restore(Path.of(String.valueOf(backup.getFileName()))));
            root.terminal().answer(root.json ? CompactCommand.json(report) : CompactCommand.text(report, "gave way"));
        }
        root.terminal().flush();
        return Main.OK;
    }
}
