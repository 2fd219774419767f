package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.Success;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem promote}: turns a proven success into a rule, or copies a lesson to the user's or the team's store. */
@Command(
        name = "promote",
        description = {
            "Makes a rule of a success that was used at least five times with a confidence of at least 0.8;"
                    + " stats lists the successes that qualify.",
            "The success is read from the store. The rule is stored where remember stores local directives,"
                    + " or, with --store, in that store.",
            "With --to, copies a success or a failure with advice to the user's store"
                    + " ($XMEM_USER_STORE, else xmem in $XDG_DATA_HOME or ~/.local/share) or the team's ($XMEM_TEAM_STORE)."
                    + " Without an ID, lists the lessons that also worked in another project and are not in the user's"
                    + " store."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem promote 2026-02-14-002",
            "  xmem promote --to user",
            "  xmem promote --to user 2026-02-14-002",
            "The exit code is 1 if no entry has the id, it does not qualify yet, or it is private."
        })
final class PromoteSubcommand extends Subcommand {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "The id of the entry, or a unique prefix of it.")
    @Nullable String id;

    @Option(
            names = "--to",
            paramLabel = "LAYER",
            description = "Copy the lesson to the store of this layer: user or team.")
    @Nullable String to;

    @Override
    public Integer call() throws IOException {
        String entry = id;
        if (to != null) {
            return share(layer(to), entry);
        }
        if (entry == null) {
            throw new UsageException("give the ID of a success, or --to user for the lessons to copy");
        }
        return DirectiveOutput.of(root, () -> {
            try (XMemStore store = root.stores().openWithDirectives()) {
                return List.of(BusyRetry.call(() -> store.promote(entry)));
            }
        });
    }

    private static Layer layer(String name) {
        return switch (name) {
            case "user" -> Layer.USER;
            case "team" -> Layer.TEAM;
            default -> throw new UsageException("--to takes user or team, not " + name);
        };
    }

    private int share(Layer to, @Nullable String entry) throws IOException {
        try (XMemStore store = root.stores().openForSharing()) {
            List<Entry> entries =
                    entry == null ? store.offers() : List.of(BusyRetry.call(() -> store.share(entry, to)));
            entries.forEach(each -> root.terminal().answer(root.json ? each.json() : each.id() + "  " + lesson(each)));
            root.terminal().flush();
            return Main.OK;
        } catch (XMemException.Invalid | XMemException.AmbiguousId | XMemException.Unsupported e) {
            return refused(e);
        }
    }

    /** What an entry advises, on one line without control characters. */
    private static String lesson(Entry entry) {
        String text = entry instanceof Success success
                ? success.patternName() + ": " + String.join("; ", success.keySteps())
                : entry instanceof Failure failure ? String.valueOf(failure.patternAvoid()) : "";
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+", " ");
    }
}
