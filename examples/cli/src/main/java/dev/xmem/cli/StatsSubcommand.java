package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.xmem.Stats;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code xmem stats}: prints statistics of the store. */
@Command(
        name = "stats",
        description = "Prints totals, the most frequent tools and tags, and file sizes.",
        footerHeading = "%nExamples:%n",
        footer = {"  xmem stats", "  xmem stats --json | jq .failures"})
final class StatsSubcommand implements Callable<Integer> {
    private static final int TOP = 10;

    private final RootCommand root;

    StatsSubcommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        ProgressReporter progress = ProgressReporter.of(root.terminal(), "stats", root.json);
        try (progress;
                XMemStore store = root.stores().openForReading()) {
            Stats stats = store.stats();
            root.terminal().answer(root.json ? json(stats) : text(stats));
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
            g.writeStringField(
                    "last_compaction",
                    stats.lastCompaction() == null
                            ? null
                            : stats.lastCompaction().toString());
            g.writeArrayFieldStart("promotable");
            for (String id : stats.promotable()) {
                g.writeString(id);
            }
            g.writeEndArray();
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
