package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private static final Pattern ID = Pattern.compile("\\d{4}-\\d{2}-\\d{2}-\\d{3,18}");

    @Parameters(paramLabel = "ID", arity = "1..*", description = "Full ids, as printed by search.")
    List<String> ids = List.of();

    @Option(
            names = "--backups",
            description = "Also erase them, and the lines that they were merged from, from all backups.")
    boolean backups;

    @Override
    public Integer call() throws IOException {
        int gone;
        Set<String> all = new LinkedHashSet<>(ids);
        try (XMemStore store = root.stores().openExisting()) {
            for (String id : ids) {
                all.addAll(mergedInto(store, id));
            }
            gone = BusyRetry.call(() -> store.purge(new LinkedHashSet<>(ids), backups));
        }
        String text = CountedNoun.of(gone, "line") + " erased";
        int code = answer(root.json ? JsonText.object(g -> g.writeNumberField("gone", gone)) : text);
        if (gone == 0) {
            root.terminal().error(root.json, "no entry has the id " + String.join(" or ", ids));
            return Main.REFUSED;
        }
        Path folder = root.stores().directory().resolve("data/backup");
        if (!backups && Files.isDirectory(folder) && !isEmpty(folder)) {
            root.terminal()
                    .notice(
                            root.json,
                            "the backups in " + folder + " keep what they have of it; to erase that too: xmem purge"
                                    + " --backups " + String.join(" ", all));
        }
        return code;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    /**
     * The ids of the entries that a compaction merged into one; once it is erased, nothing says which they were. Only
     * what has the form of an id: another program may have written the line, and the user pastes them into a shell.
     */
    private static List<String> mergedInto(XMemStore store, String id) throws IOException {
        List<String> covers = new ArrayList<>();
        try {
            Entry entry = store.find(id).filter(found -> found.id().equals(id)).orElse(null);
            if (entry != null) {
                JsonText.read(entry.json(), (name, p) -> {
                    if (name.equals("covers")) {
                        covers.addAll(JsonText.strings(name, p));
                    }
                });
            }
        } catch (XMemException.AmbiguousId | LineException e) {
            return List.of();
        }
        covers.removeIf(covered -> !ID.matcher(covered).matches());
        return covers;
    }
}
