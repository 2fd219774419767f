package dev.xmem.cli;

import dev.xmem.Amendment;
import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem amend}: a later word about an entry. */
@Command(
        name = "amend",
        description = {
            "Dismisses, pins, supersedes or retags an entry, by one more line; none is edited. Prints the entry as it is"
                    + " then.",
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem amend 2026-02-14-001 --dismiss \"fixed in rclone 1.66\"",
            "  xmem amend 2026-02-14-001 --superseded-by 2026-02-15-004",
            "  xmem amend 2026-02-14-001 --tag remote --untag config",
            "An entry that is not there is refused with exit code 1."
        })
final class AmendCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(paramLabel = "ID", description = "The entry, or the beginning of its id.")
    String id = "";

    @Option(names = "--dismiss", paramLabel = "WHY", description = "Not shown any more but by its id.")
    @Nullable String dismiss;

    @Option(names = "--pin", description = "Shown before others; brings a dismissed one back.")
    boolean pin;

    @Option(names = "--superseded-by", paramLabel = "ID", description = "Replaced by another entry.")
    @Nullable String supersededBy;

    @Option(names = "--tag", paramLabel = "TAG", description = "One more tag; may be repeated.")
    List<String> add = List.of();

    @Option(names = "--untag", paramLabel = "TAG", description = "Not this tag; may be repeated.")
    List<String> remove = List.of();

    AmendCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        List<Amendment> changes = changes();
        if (changes.size() != 1) {
            throw new UsageException("say one thing: --dismiss, --pin, --superseded-by, or --tag and --untag");
        }
        try (XMemStore store = root.stores().promoting()) {
            Entry entry = Patience.until(() -> store.amend(id, changes.get(0)));
            root.terminal().answer(entry.json());
            root.terminal().flush();
            return Main.OK;
        } catch (XMemException.Invalid | XMemException.AmbiguousId e) {
            root.terminal().error(root.json, String.valueOf(e.getMessage()));
            return Main.REFUSED;
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
        if (supersededBy != null) {
            changes.add(Amendment.supersededBy(supersededBy));
        }
        if (!add.isEmpty() || !remove.isEmpty()) {
            changes.add(Amendment.retag(Set.copyOf(add), Set.copyOf(remove)));
        }
        return changes;
    }
}
