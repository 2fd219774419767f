package dev.xmem;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A user's rule, preference or constraint: a line of {@code memories.ndjson}. */
public non-sealed interface Directive extends Entry {

    /** A draft of a rule: what to do or never to do. */
    static Draft rule(Triple triple) {
        return draft("rule", triple);
    }

    /** A draft of a preference: what the user likes better. */
    static Draft preference(Triple triple) {
        return draft("preference", triple);
    }

    /** A draft of a constraint: what must hold, stronger than any later rule against it. */
    static Draft constraint(Triple triple) {
        return draft("constraint", triple);
    }

    /**
     * A draft from a sentence. The grammar, upper and lower case alike:
     *
     * <pre>{@code
     * ["global:"] ["please"] ["add to memory" | "save to memory" | "remember"] ["that" | ":"] clause
     * clause = "never" matter | "do not" matter        a rule: the matter is forbidden
     *        | "always" matter                         a rule: it is required
     *        | "I prefer" matter ["over" other]        a preference: it is preferred
     *        | "I do not like" matter | "avoid" matter a preference: it is avoided
     *        | "must" matter | "must never" matter     a constraint: it is required, or forbidden
     * matter = text ["because" reason]
     * }</pre>
     *
     * The triple is {@code (matter, "is", "forbidden")} and so on: two sentences about the same matter oppose each other.
     *
     * @throws XMemException.Syntax if the sentence is of another form; then give the triple
     */
    static Draft parse(String sentence) {
        return DirectiveParser.parse(Objects.requireNonNull(sentence, "sentence"));
    }

    private static Draft draft(String kind, Triple triple) {
        return new Draft(FieldSource.of("kind", kind)).set("triple", triple);
    }

    /** Where it holds. */
    Scope scope();

    /** The fact itself. */
    Triple triple();

    /** The fact as one short sentence, at most 240 characters. */
    String canonical();

    /** How often it was said; 1 or more. */
    int strength();

    /** {@code subject|predicate|object}, lower case, white space folded: what makes two directives the same. */
    String dedupeKey();

    /** One line for the user: scope and sentence. */
    String confirmation();

    /** Where a directive holds. */
    enum Scope {
        /** In this project. */
        LOCAL,
        /** In all projects of this user. */
        GLOBAL
    }

    /** An atomic fact. The shape is the seed's. */
    record Triple(String subject, String predicate, String object) {
        /** Checks that no part is null. */
        public Triple {
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(predicate, "predicate");
            Objects.requireNonNull(object, "object");
        }
    }

    /** What a caller knows of a directive. Immutable: each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** The sentence to show; default: the triple's three parts in a row. */
        public Draft canonical(String sentence) {
            return set("canonical", sentence);
        }

        /** Makes it hold in all projects of this user; default is this project only. */
        public Draft global() {
            return set("scope", Scope.GLOBAL);
        }

        /** Words to find it by. */
        public Draft tags(String... tags) {
            return set("tags", List.of(tags));
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
