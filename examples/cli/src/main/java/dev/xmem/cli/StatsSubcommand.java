package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.RecallHistory;
import dev.xmem.Stats;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code xmem stats}: prints statistics of the store. */
@Command(
        name = "stats",
        description = {
            "Prints totals, the most frequent tools and tags, and file sizes.",
            "--weeks prints the repeat rate of the last weeks instead: which share of the failures that a guard saw was"
                    + " of a family that was met before."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem stats", "  xmem stats --weeks", "  xmem stats --json | jq .failures"})
final class StatsSubcommand extends Subcommand {
    private static final int TOP = 10;

    private static final int MAX_WEEKS = 57;

    @Option(
            names = "--weeks",
            arity = "0..1",
            fallbackValue = "12",
            paramLabel = "N",
            description = "Print the repeat rate of the last N weeks, 12 by default.")
    @Nullable Integer weeks;

    @Override
    public Integer call() throws IOException {
        Integer shown = weeks;
        if (shown != null && (shown < 1 || shown > MAX_WEEKS)) {
            throw new UsageException("--weeks takes a number from 1 to " + MAX_WEEKS + ", not " + shown);
        }
        ProgressReporter progress = ProgressReporter.of(root.terminal(), "stats", root.json);
        try (progress;
                XMemStore store = root.stores().openForReading()) {
            Stats stats = store.stats();
            Style style = Style.of(root.environment());
            if (shown != null) {
                root.terminal().styled(WeeksText.of(stats.recalls(), shown, style, root.json));
            } else {
                root.terminal().answer(root.json ? json(stats) : text(stats));
            }
            root.terminal().flush();
        }
        return Main.OK;
    }

    private static String text(Stats stats) {
        return stats.promotable().isEmpty()
                ? stats.text()
                : stats.text().stripTrailing() + "\n\nCan be promoted to rules: "
                        + String.join(", ", stats.promotable());
    }

    private static String json(Stats stats) {
        return JsonText.object(g -> {
            g.writeNumberField("failures", stats.failures());
            g.writeNumberField("successes", stats.successes());
            g.writeNumberField("notes", stats.notes());
            g.writeNumberField("directives", stats.directives());
            write(g, "top_tools_by_failures", stats.topToolsByFailures(TOP));
            write(g, "top_tools_by_successes", stats.topToolsBySuccesses(TOP));
            write(g, "top_tags", stats.topTags(TOP));
            write(g, "files", stats.fileBytes());
            RecallHistory recalls = stats.recalls();
            g.writeObjectFieldStart("recalls");
            g.writeNumberField("failures", recalls.failures());
            g.writeNumberField("repeats", recalls.repeats());
            g.writeNumberField("told", recalls.told());
            g.writeNumberField("worked", recalls.worked());
            g.writeNumberField("tokens", recalls.tokens());
            g.writeEndObject();
            g.writeStringField(
                    "last_compaction",
                    stats.lastCompaction() == null
                            ? null
                            : stats.lastCompaction().toString());
            JsonText.strings(g, "promotable", stats.promotable());
            g.writeNumberField("malformed_lines", stats.malformedLines());
            g.writeNumberField("tail_window_hit_rate", stats.tailWindowHitRate());
            g.writeNumberField("cache_hit_rate", stats.cacheHitRate());
            g.writeNumberField("index_bytes", stats.indexBytes());
        });
    }

    private static void write(JsonGenerator g, String name, Map<String, Long> counts) throws IOException {
        g.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            g.writeNumberField(count.getKey(), count.getValue());
        }
        g.writeEndObject();
    }
}
