package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.json.RawJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The lines with one scope and dedupe key. Identical lines count once. */
final class DirectiveFold {
    private static final Comparator<FoldedDirective> ORDER = Comparator.comparingLong(FoldedDirective::millis)
            .thenComparingInt(line -> line.directive().strength())
            .thenComparing(line -> line.directive().json());

    private final Map<String, FoldedDirective> lines = new TreeMap<>();

    void add(int log, int ordinal, Directive directive) {
        lines.putIfAbsent(directive.json(), new FoldedDirective(log, ordinal, directive));
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /**
     * Folds all lines. Lines of peers only add strength and tags where this replica has lines of its own; so a peer cannot
     * amend a directive of this replica.
     */
    FoldedDirective folded(Outcomes outcomes) {
        List<FoldedDirective> sorted = new ArrayList<>(lines.values());
        sorted.sort(ORDER);
        List<FoldedDirective> own = sorted.stream()
                .filter(line -> line.directive().id().indexOf('@') < 0)
                .toList();
        List<FoldedDirective> deciding = own.isEmpty() ? sorted : own;
        String id = deciding.get(0).directive().id();
        long strength = (long) deciding.get(0).directive().strength() + sorted.size() - 1;
        Set<String> tags = new LinkedHashSet<>();
        sorted.forEach(line -> tags.addAll(line.directive().tags()));
        FoldedDirective last = deciding.get(deciding.size() - 1);
        Directive folded = (Directive) outcomes.rewritten(last.directive(), id, fields -> {
            fields.put("id", id);
            fields.put("strength", new RawJson(Long.toString(strength)));
            fields.put("tags", List.copyOf(tags));
        });
        return new FoldedDirective(last.log(), last.ordinal(), folded);
    }

    /** The directive with the tag {@code conflict}. */
    static Directive withConflict(Outcomes outcomes, Directive directive) {
        Set<String> tags = new LinkedHashSet<>(directive.tags());
        tags.add("conflict");
        return (Directive)
                outcomes.rewritten(directive, directive.id(), fields -> fields.put("tags", List.copyOf(tags)));
    }
}
