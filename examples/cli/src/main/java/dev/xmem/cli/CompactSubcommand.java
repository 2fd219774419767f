package dev.xmem.cli;

import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem compact}: merges duplicates and archives old entries. */
@Command(
        name = "compact",
        description = {
            "Merges duplicates, archives old entries and quarantines malformed lines.",
            "Merges equal failures or successes recorded within seven days into one line that keeps the"
                    + " fields of all of them, and moves entries older than 90 days to data/archive.",
            "The replaced files are first copied to data/backup; restore brings them back."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem compact --dry-run", "  xmem compact --prune-after-days 365"})
final class CompactSubcommand extends Subcommand {
    @Option(names = "--dry-run", description = "Print which lines would be removed, and why; change nothing.")
    boolean dryRun;

    @Option(
            names = "--prune-after-days",
            paramLabel = "N",
            description = "Also remove entries that were not used or changed for N days; default: never.")
    @Nullable Integer pruneAfterDays;

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
                dryRun ? root.stores().openReadOnly() : root.stores().openExisting()) {
            CompactionPlan plan = store.planCompaction(retention);
            if (dryRun) {
                return answer(root.json ? json(plan) : plan.text().stripTrailing());
            }
            return answer(compact(store, retention, plan));
        }
    }

    /** Another compaction may replace a log after the plan was made: then a new plan is made once. */
    String compact(XMemStore store, Retention retention, CompactionPlan plan) {
        CompactionPlan carriedOut = plan;
        CompactionReport report;
        try {
            report = BusyRetry.call(() -> store.compact(plan));
        } catch (XMemException.Invalid e) {
            if (!e.field().equals("plan")) {
                throw e;
            }
            CompactionPlan again = store.planCompaction(retention);
            carriedOut = again;
            report = BusyRetry.call(() -> store.compact(again));
        }
        return root.json ? json(report) : text(carriedOut, report);
    }

    private static String json(CompactionPlan plan) {
        return JsonText.object(g -> {
            JsonText.objects(g, "removes", plan.removes(), match -> {
                g.writeStringField("id", match.entry().id());
                g.writeStringField("because", match.explanation());
            });
        });
    }

    static String json(CompactionReport report) {
        return JsonText.object(g -> {
            g.writeNumberField("removed", report.removed());
            g.writeNumberField("quarantined", report.quarantined());
            g.writeStringField("backup", report.backup().toString());
        });
    }

    private static String text(CompactionPlan plan, CompactionReport report) {
        if (plan.isEmpty()) {
            return "Nothing to compact.";
        }
        String quarantined = report.quarantined() == 0
                ? ""
                : "; " + CountedNoun.of(report.quarantined(), "malformed line") + " moved to " + report.quarantine();
        return CountedNoun.of(report.removed(), "line") + " removed from the logs" + quarantined + "; backup: "
                + report.backup();
    }
}
