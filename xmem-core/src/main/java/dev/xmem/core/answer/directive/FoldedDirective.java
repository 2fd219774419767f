package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import java.util.Locale;

/**
 * A directive folded from all its lines, and the position of its newest line.
 *
 * @param log the number of the log in the snapshot
 * @param ordinal the line in that log
 */
record FoldedDirective(int log, int ordinal, Directive directive) {
    private static final int CONSTRAINT = 2;
    private static final int RULE = 1;

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
}
