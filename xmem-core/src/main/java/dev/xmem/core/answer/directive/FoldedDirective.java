package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import java.util.Locale;

/**
 * A directive as all its lines say, and the place of its newest line.
 *
 * @param log which log of the snapshot
 * @param ordinal which line of it
 * @param directive what the lines say together
 */
record FoldedDirective(int log, int ordinal, Directive directive) {
    private static final int CONSTRAINT = 2;
    private static final int RULE = 1;

    /** What it speaks of: two directives with one matter and different objects oppose each other. */
    String matter() {
        return folded(directive.triple().subject()) + "|"
                + folded(directive.triple().predicate());
    }

    String object() {
        return folded(directive.triple().object());
    }

    /** 2 for a constraint, 1 for a rule, 0 for a preference. */
    int priority() {
        return switch (DirectiveDraft.kindOf(directive)) {
            case "constraint" -> CONSTRAINT;
            case "rule" -> RULE;
            default -> 0;
        };
    }

    boolean isConstraint() {
        return priority() == CONSTRAINT;
    }

    private static String folded(String text) {
        return text.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }
}
