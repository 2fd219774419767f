package dev.xmem.core.answer.render;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What a store holds, in figures. The maps are in the order to be shown, most first.
 *
 * @param failures live failures
 * @param successes live successes
 * @param notes journal notes
 * @param directives directives
 * @param topTools tools and their entries
 * @param topTags tags and their entries
 */
public record StoreSummary(
        long failures,
        long successes,
        long notes,
        long directives,
        Map<String, Long> topTools,
        Map<String, Long> topTags) {
    private static final int NAME_CHARS = 40;

    /** Copies the maps, order kept. */
    public StoreSummary {
        topTools = Collections.unmodifiableMap(new LinkedHashMap<>(topTools));
        topTags = Collections.unmodifiableMap(new LinkedHashMap<>(topTags));
    }

    /** One line about the store, with at most this many tools and as many tags. */
    public String line(int names) {
        StringJoiner totals = new StringJoiner(", ", "In memory: ", "");
        totals.add(Plural.of(failures, "failure", "failures")).add(Plural.of(successes, "success", "successes"));
        if (notes > 0) {
            totals.add(Plural.of(notes, "note", "notes"));
        }
        if (directives > 0) {
            totals.add(Plural.of(directives, "directive", "directives"));
        }
        return totals + top("; top tools: ", topTools, names) + top("; top tags: ", topTags, names);
    }

    private static String top(String label, Map<String, Long> counts, int names) {
        StringJoiner out = new StringJoiner(", ", label, "").setEmptyValue("");
        counts.entrySet().stream()
                .limit(names)
                .forEach(count -> out.add(TextSanitizer.line(count.getKey(), NAME_CHARS) + " " + count.getValue()));
        return out.toString();
    }
}
