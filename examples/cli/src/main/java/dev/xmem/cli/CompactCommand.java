package dev.xmem.cli;

import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Match;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem compact}: duplicates become one line, what is old moves to archives. */
@Command(
        name = "compact",
        description = {
            "Makes one line of failures or successes that are the same within seven days, with all that each of them knew;"
                    + " moves those older than 90 days to data/archive; puts broken lines into quarantine.",
            "What is replaced is copied to data/backup first; restore brings it back."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem compact --dry-run", "  xmem compact --prune-after-days 365"})
final class CompactCommand implements Callable<Integer> {
    private final Root root;

    @Option(names = "--dry-run", description = "Only says which lines would go, and why.")
    boolean dryRun;

    @Option(
            names = "--prune-after-days",
            paramLabel = "N",
            description = "Also removes entries that nothing happened to for so many days; default: none.")
    @Nullable Integer pruneAfterDays;

    CompactCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Retention retention = Retention.defaults();
        if (pruneAfterDays != null) {
            if (pruneAfterDays < 1) {
                throw new UsageException("--prune-after-days must be 1 or more, not " + pruneAfterDays);
            }
            retention = retention.pruneAfter(Duration.ofDays(pruneAfterDays));
        }
        try (XMemStore store =
                dryRun ? root.stores().inspecting() : root.stores().changing()) {
            CompactionPlan plan = store.planCompaction(retention);
            if (dryRun) {
                root.terminal().answer(root.json ? json(plan) : plan.text().stripTrailing());
            } else {
                CompactionReport report = Patience.until(() -> store.compact(plan));
                root.terminal().answer(root.json ? json(report) : text(report, "left the logs"));
            }
        }
        root.terminal().flush();
        return Main.OK;
    }

    private static String json(CompactionPlan plan) {
        return Json.object(g -> {
            g.writeArrayFieldStart("removes");
            for (Match match : plan.removes()) {
                g.writeStartObject();
                g.writeStringField("id", match.entry().id());
                g.writeStringField("because", match.explanation());
                g.writeEndObject();
            }
            g.writeEndArray();
        });
    }

    static String json(CompactionReport report) {
        return Json.object(g -> {
            g.writeNumberField("removed", report.removed());
            g.writeStringField("backup", report.backup().toString());
        });
    }

    static String text(CompactionReport report, String what) {
        return Plural.of(report.removed(), "line") + " " + what + "; backup: "
                + report.backup();
    }
}
