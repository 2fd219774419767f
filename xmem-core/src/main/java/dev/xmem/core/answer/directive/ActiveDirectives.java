package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directives of a snapshot: those that hold, each shown at the place of its newest line. Immutable. */
public final class ActiveDirectives {
    private final Map<Long, FoldedDirective> live;
    private final Map<String, Directive> byId;

    ActiveDirectives(Collection<FoldedDirective> live, Map<String, Directive> byId) {
        Map<Long, FoldedDirective> byLine = new HashMap<>();
        for (FoldedDirective folded : live) {
            byLine.putIfAbsent(key(folded.log(), folded.ordinal()), folded);
        }
        this.live = byLine;
        this.byId = Map.copyOf(byId);
    }

    private static long key(int log, int ordinal) {
        return (long) log << 32 | ordinal;
    }

    /** The directive that is shown at a line; null where none is: its newest line is another, or it does not hold. */
    public @Nullable Directive at(int log, int ordinal) {
        FoldedDirective folded = live.get(key(log, ordinal));
        return folded == null ? null : folded.directive();
    }

    /** The directive with an id, whether it holds or was beaten; null if there is none. */
    public @Nullable Directive withId(String id) {
        return byId.get(id);
    }

    /** Whether one with this dedupe key holds. */
    public boolean holds(String dedupeKey) {
        return live.values().stream().anyMatch(f -> f.directive().dedupeKey().equals(dedupeKey));
    }

    /** How many hold. */
    public int size() {
        return live.size();
    }

    /** A directive in the ranking. */
    public record Ranked(int log, int ordinal, int tagMatches, Directive directive) {}

    /** All that hold, in the order in which they are shown for a request. */
    public List<Ranked> ranked(String request) {
        Set<String> words = words(request);
        Map<FoldedDirective, Integer> tagMatches = new HashMap<>();
        live.values().forEach(f -> tagMatches.put(f, tagMatches(f.directive(), words)));
        return live.values().stream()
                .sorted(Comparator.<FoldedDirective>comparingInt(f -> tagMatches.getOrDefault(f, 0))
                        .thenComparingInt(FoldedDirective::priority)
                        .thenComparingInt(f -> f.directive().strength())
                        .thenComparing(f -> f.directive().ts())
                        .reversed()
                        .thenComparing(f -> f.directive().dedupeKey())
                        .thenComparing(f -> f.directive().scope()))
                .map(f -> new Ranked(f.log(), f.ordinal(), tagMatches.getOrDefault(f, 0), f.directive()))
                .toList();
    }

    private static int tagMatches(Directive directive, Set<String> words) {
        return (int) directive.tags().stream()
                .map(tag -> tag.toLowerCase(Locale.ROOT))
                .distinct()
                .filter(words::contains)
                .count();
    }

    /** A word without the points and hyphens that end its sentence. */
    private static String withoutEnd(String word) {
        int end = word.length();
        while (end > 0 && (word.charAt(end - 1) == '.' || word.charAt(end - 1) == '-')) {
            end--;
        }
        return word.substring(0, end);
    }

    private static Set<String> words(String request) {
        Set<String> words = new HashSet<>();
        for (String word : request.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}_.+#-]+")) {
            words.add(word);
            words.add(withoutEnd(word));
        }
        return words;
    }
}
