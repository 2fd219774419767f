package dev.xmem.cli;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem amend}: dismisses, pins, supersedes or retags an entry. */
@Command(
        name = "amend",
        description = {
            "Dismisses, pins, supersedes or retags an entry. The change is appended as a new line; no line is"
                    + " edited. Prints the amended entry."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem amend 2026-02-14-001 --dismiss \"fixed in rclone 1.66\"",
            "  xmem amend 2026-02-14-001 --superseded-by 2026-02-15-004",
            "  xmem amend 2026-02-14-001 --tag remote --untag config",
            "The exit code is 1 if no entry has the id."
        })
final class AmendSubcommand extends Subcommand {
    @Parameters(paramLabel = "ID", description = "The id of the entry, or a unique prefix of it.")
    String id = "";

    @Option(names = "--dismiss", paramLabel = "WHY", description = "Hide the entry from everything but a lookup by id.")
    @Nullable String dismiss;

    @Option(names = "--pin", description = "Rank the entry before others; undoes --dismiss.")
    boolean pin;

    @Option(names = "--restore", description = "Take back --dismiss, --pin and --superseded-by.")
    boolean restore;

    @Option(names = "--superseded-by", paramLabel = "ID", description = "The id of the entry that replaces this one.")
    @Nullable String supersededBy;

    @Option(names = "--tag", paramLabel = "TAG", description = "Add a tag; may be repeated.")
    List<String> add = List.of();

    @Option(names = "--untag", paramLabel = "TAG", description = "Remove a tag; may be repeated.")
    List<String> remove = List.of();

    @Override
    public Integer call() throws IOException {
        List<Amendment> changes = changes();
        if (changes.size() != 1) {
            throw new UsageException(
                    "give exactly one change: --dismiss, --pin, --restore, --superseded-by, or --tag and --untag");
        }
        try (XMemStore store = root.stores().openWithDirectives()) {
            Entry entry = BusyRetry.call(() -> store.amend(id, changes.get(0)));
            return answer(entry.json());
        } catch (XMemException.Invalid | XMemException.AmbiguousId e) {
            return refused(e);
        }
    }

    private List<Amendment> changes() {
        List<Amendment> changes = new ArrayList<>();
        if (dismiss != null) {
            changes.add(Amendment.dismiss(dismiss));
        }
        if (pin) {
            changes.add(Amendment.pin());
        }
        if (restore) {
            changes.add(Amendment.restore());
        }
        if (supersededBy != null) {
            changes.add(Amendment.supersededBy(supersededBy));
        }
        if (!add.isEmpty() || !remove.isEmpty()) {
            changes.add(Amendment.retag(Set.copyOf(add), Set.copyOf(remove)));
        }
        return changes;
    }
}
