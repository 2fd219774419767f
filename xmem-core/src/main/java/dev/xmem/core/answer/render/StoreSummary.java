package dev.xmem.core.answer.render;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** The counts of a store. The maps have the entries by tool and by tag, in display order, largest count first. */
public record StoreSummary(
        long failures,
        long successes,
        long notes,
        long directives,
        Map<String, Long> topTools,
        Map<String, Long> topTags) {
    private static final int NAME_CHARS = 40;

    /** Copies the maps and keeps their order. */
    public StoreSummary {
        topTools = Collections.unmodifiableMap(new LinkedHashMap<>(topTools));
        topTags = Collections.unmodifiableMap(new LinkedHashMap<>(topTags));
    }

    /** One line about the store, with at most this many tools and as many tags. */
    public String line(int names) {
        return "In memory: " + counts(failures, successes, notes, directives, 0) + top("; top tools: ", topTools, names)
                + top("; top tags: ", topTags, names);
    }

    /** Failures and successes, and the other kinds where there are any. */
    public static String counts(long failures, long successes, long notes, long directives, long others) {
        return Plural.of(failures, "failure") + ", " + Plural.of(successes, "success", "successes")
                + (notes > 0 ? ", " + Plural.of(notes, "note") : "")
                + (directives > 0 ? ", " + Plural.of(directives, "directive") : "")
                + (others > 0 ? ", " + Plural.of(others, "other") : "");
    }

    private static String top(String label, Map<String, Long> counts, int names) {
        StringJoiner out = new StringJoiner(", ", label, "").setEmptyValue("");
        counts.entrySet().stream()
                .limit(names)
                .forEach(count -> out.add(PromptEscaping.name(count.getKey(), NAME_CHARS) + " " + count.getValue()));
        return out.toString();
    }
}
