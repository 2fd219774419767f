package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Decides between directives that contradict each other: the rules are in the package description. */
final class ConflictResolver {
    private ConflictResolver() {}

    /** The directives that win; true for those whose conflict no rule decides. */
    static Map<FoldedDirective, Boolean> winners(Collection<FoldedDirective> all) {
        Map<FoldedDirective, Boolean> winners = new HashMap<>();
        for (List<FoldedDirective> group : all.stream()
                .collect(Collectors.groupingBy(FoldedDirective::topic))
                .values()) {
            List<FoldedDirective> local = group.stream()
                    .filter(f -> f.directive().scope() == Directive.Scope.LOCAL)
                    .toList();
            List<FoldedDirective> left = winnersOfOneScope(local.isEmpty() ? group : local);
            boolean undecided = contradict(left);
            left.forEach(f -> winners.put(f, undecided));
        }
        return winners;
    }

    private static List<FoldedDirective> winnersOfOneScope(List<FoldedDirective> group) {
        if (!contradict(group)) {
            return group;
        }
        List<FoldedDirective> constraints =
                group.stream().filter(FoldedDirective::isConstraint).toList();
        if (!constraints.isEmpty()) {
            return constraints;
        }
        long newest = group.stream().mapToLong(FoldedDirective::millis).max().orElse(0);
        return group.stream().filter(f -> f.millis() == newest).toList();
    }

    private static boolean contradict(List<FoldedDirective> group) {
        return group.stream().map(FoldedDirective::object).distinct().count() > 1;
    }
}
