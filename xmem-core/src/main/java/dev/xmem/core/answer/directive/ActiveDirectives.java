package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.core.base.json.LowerCase;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The active directives of a snapshot, each at the position of its newest line. Immutable. */
public final class ActiveDirectives {
    private final Map<Long, FoldedDirective> byLine = new HashMap<>();
    private final Map<String, Directive> byId;

    /**
     * Active directives.
     *
     * @param byId all directives, also those that are not active
     */
    ActiveDirectives(Collection<FoldedDirective> active, Map<String, Directive> byId) {
        for (FoldedDirective folded : active) {
            byLine.put(key(folded.log(), folded.ordinal()), folded);
        }
        this.byId = Map.copyOf(byId);
    }

    private static long key(int log, int ordinal) {
        return (long) log << 32 | ordinal;
    }

    /** The active directive at a line; null if the line is not its newest or the directive is not active. */
    public @Nullable Directive at(int log, int ordinal) {
        FoldedDirective folded = byLine.get(key(log, ordinal));
        return folded == null ? null : folded.directive();
    }

    /** The directive with an id, active or not; null if there is none. */
    public @Nullable Directive withId(String id) {
        return byId.get(id);
    }

    /** Whether a directive with this dedupe key is active. */
    public boolean holds(String dedupeKey) {
        return byLine.values().stream().anyMatch(f -> f.directive().dedupeKey().equals(dedupeKey));
    }

    /** The number of active directives. */
    public int size() {
        return byLine.size();
    }

    /** A directive in a ranking, with the number of its tags that the request names. */
    public record Ranked(int log, int ordinal, int tagMatches, Directive directive) {}

    /** All active directives in the display order for a request. */
    public List<Ranked> ranked(String request) {
        Set<String> words = words(request);
        return byLine.values().stream()
                .map(f -> new Ranked(f.log(), f.ordinal(), tagMatches(f.directive(), words), f.directive()))
                .sorted(Comparator.comparingInt(Ranked::tagMatches)
                        .thenComparingInt(r -> FoldedDirective.priority(r.directive()))
                        .thenComparingInt(r -> r.directive().strength())
                        .thenComparing(r -> r.directive().ts())
                        .reversed()
                        .thenComparing(r -> r.directive().dedupeKey())
                        .thenComparing(r -> r.directive().scope()))
                .toList();
    }

    private static int tagMatches(Directive directive, Set<String> words) {
        return (int) directive.tags().stream()
                .map(tag -> tag.toLowerCase(Locale.ROOT))
                .distinct()
                .filter(words::contains)
                .count();
    }

    /** A word without the points and hyphens at its end. */
    private static String withoutEnd(String word) {
        int end = word.length();
        while (end > 0 && (word.charAt(end - 1) == '.' || word.charAt(end - 1) == '-')) {
            end--;
        }
        return word.substring(0, end);
    }

    private static Set<String> words(String request) {
        Set<String> words = new HashSet<>();
        for (String word : request.split("[^\\p{L}\\p{N}_.+#-]+")) {
            String lower = LowerCase.of(word);
            words.add(lower);
            words.add(withoutEnd(lower));
        }
        return words;
    }
}
