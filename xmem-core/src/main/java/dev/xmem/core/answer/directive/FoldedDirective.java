package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.base.json.RawJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A directive folded from all its lines, and the position of its newest line.
 *
 * @param log the number of the log in the snapshot
 * @param ordinal the line in that log
 */
record FoldedDirective(int log, int ordinal, Directive directive) {
    private static final int CONSTRAINT = 2;
    private static final int RULE = 1;

    private static final Comparator<FoldedDirective> ORDER = Comparator.comparingLong(FoldedDirective::millis)
            .thenComparingInt(line -> line.directive().strength())
            .thenComparing(line -> line.directive().json());

    /** The lines with one scope and dedupe key. Identical lines count once. */
    static final class Lines {
        private final Map<String, FoldedDirective> lines = new TreeMap<>();

        void add(int log, int ordinal, Directive directive) {
            lines.putIfAbsent(directive.json(), new FoldedDirective(log, ordinal, directive));
        }

        boolean isEmpty() {
            return lines.isEmpty();
        }

        /**
         * Folds all lines. Lines of peers only add strength and tags where this replica has lines of its own; so a peer
         * cannot amend a directive of this replica.
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
    }

    /** Two directives with the same topic and different objects contradict each other. */
    String topic() {
        return folded(directive.triple().subject()) + "|"
                + folded(directive.triple().predicate());
    }

    String object() {
        return folded(directive.triple().object());
    }

    private static String folded(String text) {
        return DirectiveDraft.folded(text).toLowerCase(Locale.ROOT);
    }

    long millis() {
        return directive.ts().toEpochMilli();
    }

    boolean isConstraint() {
        return priority(directive) == CONSTRAINT;
    }

    /**
     * What the confirmation of a directive says that contradicts this one, which holds.
     *
     * @param undecided whether the other one holds too
     */
    String confirmationAgainst(FoldedDirective other, boolean undecided) {
        if (undecided) {
            return "It contradicts " + quoted()
                    + ", and nothing decides between them: both are shown, until one of them"
                    + " is said again or dismissed.";
        }
        return "It does not hold: " + quoted() + " holds, because " + reasonAgainst(other) + ".";
    }

    /** What the confirmation of this directive, which holds, says of one that it contradicts and that does not. */
    String confirmationOver(FoldedDirective other) {
        return "It holds, and " + other.quoted() + " does not, because " + reasonAgainst(other) + ".";
    }

    private String quoted() {
        return "\"" + directive.canonical() + "\" (" + directive.id() + ")";
    }

    /** Why this directive wins. */
    private String reasonAgainst(FoldedDirective other) {
        return directive.scope() != other.directive.scope()
                ? "a local directive wins over a global one"
                : isConstraint() && !other.isConstraint()
                        ? "a constraint wins over a rule or a preference"
                        : "the newer one wins";
    }

    /** 2 for a constraint, 1 for a rule, 0 for a preference. */
    static int priority(Directive directive) {
        return switch (DirectiveDraft.kindOf(directive)) {
            case "constraint" -> CONSTRAINT;
            case "rule" -> RULE;
            default -> 0;
        };
    }

    /** This directive with the tag {@code conflict}. */
    Directive withConflict(Outcomes outcomes) {
        Set<String> tags = new LinkedHashSet<>(directive.tags());
        tags.add("conflict");
        return (Directive)
                outcomes.rewritten(directive, directive.id(), fields -> fields.put("tags", List.copyOf(tags)));
    }
}
