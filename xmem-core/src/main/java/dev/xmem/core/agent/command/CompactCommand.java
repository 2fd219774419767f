package dev.xmem.core.agent.command;

import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.TextSanitizer;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** {@code /xmem:compact}: compacts the store, or shows the plan of a compaction. */
final class CompactCommand {
    static final String USAGE = "Usage: /xmem:compact [--dry-run] [--prune-after-days <N>]";

    private static final int MAX_LINES = 70;
    private static final int LINE_CHARS = 300;
    private static final int NAME_CHARS = 60;
    private static final int MAX_DAYS = 100_000;

    private CompactCommand() {}

    static CommandResult execute(XMemStore store, String rest, Predicate<String> fits) {
        boolean dryRun = false;
        Retention retention = Retention.defaults();
        List<String> words = rest.isEmpty() ? List.of() : List.of(rest.split("\\s+"));
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).equals("--dry-run")) {
                dryRun = true;
            } else if (words.get(i).equals("--prune-after-days")) {
                String days = ++i < words.size() ? words.get(i) : "";
                if (!days.matches("[1-9]\\d{0,5}") || Integer.parseInt(days) > MAX_DAYS) {
                    return CommandResult.refused("--prune-after-days needs a number of days, 1 or more\n" + USAGE);
                }
                retention = retention.pruneAfter(Duration.ofDays(Integer.parseInt(days)));
            } else {
                boolean bare = words.get(i).matches("-?(?:dry-run|prune-after-days)");
                return CommandResult.refused("unknown option " + TextSanitizer.line(words.get(i), NAME_CHARS)
                        + (bare ? "; did you mean --" + words.get(i).replaceFirst("^-", "") + "?" : "") + "\n" + USAGE);
            }
        }
        CompactionPlan plan = store.planCompaction(retention);
        return CommandResult.ok(dryRun ? preview(plan, fits) : result(plan, store.compact(plan)));
    }

    /** As many lines of the plan as fit, at most {@value #MAX_LINES} and their heading. */
    private static String preview(CompactionPlan plan, Predicate<String> fits) {
        List<String> lines = plan.text().lines().toList();
        int shown = Math.min(lines.size(), MAX_LINES + 1);
        String text = preview(lines, shown);
        while (shown > 0 && !fits.test(text)) {
            text = preview(lines, --shown);
        }
        return text;
    }

    private static String preview(List<String> lines, int shown) {
        StringBuilder text = new StringBuilder("🔍 Dry run: nothing was changed");
        lines.stream().limit(shown).forEach(line -> text.append('\n').append(TextSanitizer.line(line, LINE_CHARS)));
        int more = lines.size() - shown;
        return more > 0 ? text.append("\n… and ").append(more).append(" more").toString() : text.toString();
    }

    private static String result(CompactionPlan plan, CompactionReport report) {
        if (plan.isEmpty()) {
            return "✅ Nothing to compact";
        }
        long quarantined = report.quarantined();
        return "✅ Compacted: " + Plural.of(report.removed(), "line") + " left the logs"
                + (quarantined == 0 ? "" : "\nQuarantine: " + Plural.of(quarantined, "malformed line"))
                + "\nBackup: data/backup/" + report.backup().getFileName()
                + "\nIndex rebuilt: data/index.json";
    }
}
