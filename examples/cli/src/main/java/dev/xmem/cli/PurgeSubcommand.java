package dev.xmem.cli;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem purge}: erases entries permanently. */
@Command(
        name = "purge",
        description = {
            "Erases entries permanently.",
            "Erases their lines in logs, archives and quarantine, the merged lines that replaced them, and"
                    + " their outcomes and amendments. Successes that answer them stay. This cannot be undone.",
            "An entry of another replica (ID@REPLICA) is refused: purge it there, or hide it here with amend --dismiss.",
            "The exit code is 1 if no line had one of the ids."
        },
        footerHeading = "%nExample:%n",
        footer = {"  xmem purge --backups 2026-02-14-001"})
final class PurgeSubcommand extends Subcommand {
    @Parameters(paramLabel = "ID", arity = "1..*", description = "Full ids, as printed by search.")
    List<String> ids = List.of();

    @Option(names = "--backups", description = "Also erase them from all backups.")
    boolean backups;

    @Override
    public Integer call() throws IOException {
        int gone;
        try (XMemStore store = root.stores().openExisting()) {
            gone = BusyRetry.call(() -> store.purge(new LinkedHashSet<>(ids), backups));
        }
        String text = CountedNoun.of(gone, "line") + " erased";
        int code = answer(root.json ? JsonText.object(g -> g.writeNumberField("gone", gone)) : text);
        if (gone == 0) {
            root.terminal().error(root.json, "no entry has the id " + String.join(" or ", ids));
            return Main.REFUSED;
        }
        return code;
    }
}
