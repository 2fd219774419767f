package dev.xmem.core.directive;

import dev.xmem.Directive;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Who wins among directives that oppose each other. */
final class Conflicts {
    private Conflicts() {}

    /**
     * The outcome.
     *
     * @param winners those that stay
     * @param ambiguous those of them between which nothing decides
     */
    record Outcome(List<Folded> winners, Set<Folded> ambiguous) {}

    static Outcome settle(Collection<Folded> all) {
        List<Folded> winners = new ArrayList<>();
        Set<Folded> ambiguous = new HashSet<>();
        all.stream()
                .collect(Collectors.groupingBy(Folded::matter, Collectors.toList()))
                .values()
                .forEach(group -> settle(group, winners, ambiguous));
        return new Outcome(winners, ambiguous);
    }

    private static void settle(List<Folded> group, List<Folded> winners, Set<Folded> ambiguous) {
        List<Folded> local = ofScope(group, Directive.Scope.LOCAL);
        List<Folded> nearest = local.isEmpty() ? ofScope(group, Directive.Scope.GLOBAL) : local;
        List<Folded> left = ofOneScope(nearest);
        winners.addAll(left);
        if (objects(left) > 1) {
            ambiguous.addAll(left);
        }
    }

    private static List<Folded> ofScope(List<Folded> group, Directive.Scope scope) {
        return group.stream().filter(f -> f.directive().scope() == scope).toList();
    }

    private static List<Folded> ofOneScope(List<Folded> group) {
        if (objects(group) <= 1) {
            return group;
        }
        List<Folded> constraints = group.stream().filter(Folded::isConstraint).toList();
        if (!constraints.isEmpty()) {
            return constraints;
        }
        Function<Folded, Long> time = f -> f.directive().ts().toEpochMilli();
        long newest = group.stream().map(time).max(Long::compare).orElse(0L);
        return group.stream().filter(f -> time.apply(f) == newest).toList();
    }

    private static long objects(List<Folded> group) {
        return group.stream().map(Folded::object).distinct().count();
    }
}
