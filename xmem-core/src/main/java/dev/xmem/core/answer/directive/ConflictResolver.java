package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who wins among directives that oppose each other. */
final class ConflictResolver {
    private ConflictResolver() {}

    /**
     * The outcome.
     *
     * @param winners those that stay
     * @param ambiguous those of them between which nothing decides
     */
    record Outcome(List<FoldedDirective> winners, Set<FoldedDirective> ambiguous) {}

    static Outcome settle(Collection<FoldedDirective> all) {
        List<FoldedDirective> winners = new ArrayList<>();
        Set<FoldedDirective> ambiguous = new HashSet<>();
        all.stream()
                .collect(Collectors.groupingBy(FoldedDirective::matter, Collectors.toList()))
                .values()
                .forEach(group -> settle(group, winners, ambiguous));
        return new Outcome(winners, ambiguous);
    }

    private static void settle(
            List<FoldedDirective> group, List<FoldedDirective> winners, Set<FoldedDirective> ambiguous) {
        List<FoldedDirective> local = ofScope(group, Directive.Scope.LOCAL);
        List<FoldedDirective> nearest = local.isEmpty() ? ofScope(group, Directive.Scope.GLOBAL) : local;
        List<FoldedDirective> left = ofOneScope(nearest);
        winners.addAll(left);
        if (objects(left) > 1) {
            ambiguous.addAll(left);
        }
    }

    private static List<FoldedDirective> ofScope(List<FoldedDirective> group, Directive.Scope scope) {
        return group.stream().filter(f -> f.directive().scope() == scope).toList();
    }

    private static List<FoldedDirective> ofOneScope(List<FoldedDirective> group) {
        if (objects(group) <= 1) {
            return group;
        }
        List<FoldedDirective> constraints =
                group.stream().filter(FoldedDirective::isConstraint).toList();
        if (!constraints.isEmpty()) {
            return constraints;
        }
        Function<FoldedDirective, Long> time = f -> f.directive().ts().toEpochMilli();
        long newest = group.stream().map(time).max(Long::compare).orElse(0L);
        return group.stream().filter(f -> time.apply(f) == newest).toList();
    }

    private static long objects(List<FoldedDirective> group) {
        return group.stream().map(FoldedDirective::object).distinct().count();
    }
}
