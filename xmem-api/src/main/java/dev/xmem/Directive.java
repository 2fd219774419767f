package dev.xmem;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A directive: a rule, preference or constraint of the user, a line of {@code memories.ndjson}. */
public non-sealed interface Directive extends Entry {

    /** Creates a draft of a rule: what to do, or never to do. */
    static Draft rule(Triple triple) {
        return draft("rule", triple);
    }

    /** Creates a draft of a preference: what the user likes better. */
    static Draft preference(Triple triple) {
        return draft("preference", triple);
    }

    /** Creates a draft of a constraint: what must hold. It overrides any later rule that opposes it. */
    static Draft constraint(Triple triple) {
        return draft("constraint", triple);
    }

    /**
     * Creates a draft from a text that states one directive, by the grammar of {@link #parseAll}.
     *
     * @throws XMemException.Syntax if the text does not match the grammar or states several directives
     */
    static Draft parse(String sentence) {
        return DirectiveParser.parse(Objects.requireNonNull(sentence, "sentence"));
    }

    /**
     * Creates the drafts of a text of at most 1,000 characters, such as {@code always use X. Never use Y.} The grammar,
     * which ignores case:
     *
     * <pre>{@code
     * {intro} clause {("." | "," | "and" | "but") clause} [ending]
     * intro  = "please" | asked ["that" | "to" | ":"] | rule | everywhere | here | from
     * asked  = "add to [your] memory" | "add to global memory" | "save to memory" | "remember" | "memorize"
     *        | "keep in mind" | "don't forget" | "note to self"
     * rule   = "new rule:" | "make it a rule that" | "our convention is that"     and similar
     * everywhere = "global:" | "globally" | "everywhere" | "for all projects"     the scope is global
     * here   = "in this project" | "in our repo"
     * from   = "from now on" | "going forward" | "as a rule"
     * ending = "from now on" | ", always" | ", ever" | ", remember that"
     * clause = "never" matter | "do not" matter | "stop" gerund | "under no circumstances" matter
     *                                                  a rule: the matter is forbidden
     *        | "always" matter | from matter | "remember to" matter | "we use" matter here
     *        | "whenever you" text "," matter | "before every commit" matter   a rule: it is required
     *        | "I prefer" matter ["over" other]        a preference: it is preferred
     *        | "I do not like" matter | "avoid" matter a preference: it is avoided
     *        | "must" matter | "must never" matter     a constraint: it is required, or forbidden
     *        | noun "must" ["never"] matter            a constraint, such as "tests must run before a commit"
     *        | subject "is" object                     a rule, only behind asked and "that" or ":"
     * matter = text ["because" reason]
     * }</pre>
     *
     * <p>A statement without such a form, in English or another language, is a rule if it resembles known rules
     * ("primary keys are uuids", "use yarn, not npm") and no part of it resembles a task, a description or a secret. It
     * is likely a rule, but not certainly: a description that resembles a rule is taken for one.
     *
     * <p>Questions, descriptions ("it never finishes"), conclusions ("it must be the proxy") and tasks for this moment
     * ("do not push yet") are no directives where the grammar recognizes them.
     *
     * <p>The triple is {@code (matter, "is", "forbidden")} and so on, so two sentences about one matter oppose each
     * other. What stands behind "over", "instead of", "rather than" and ", not" is no part of the matter: "never use
     * yarn" opposes "use yarn, not npm". {@code XMemStore.recordAll} stores all drafts or none.
     *
     * @return one draft or more, in the order of the text; what it says twice is one draft
     * @throws XMemException.Syntax if the text does not match the grammar; use a {@link Triple} instead
     */
    static List<Draft> parseAll(String text) {
        return DirectiveParser.parseAll(Objects.requireNonNull(text, "text"));
    }

    private static Draft draft(String kind, Triple triple) {
        return new Draft(FieldSource.of("kind", kind)).set("triple", triple);
    }

    /** Returns the scope. */
    Scope scope();

    /** Returns the fact. */
    Triple triple();

    /** Returns the fact as one sentence of at most 240 characters. */
    String canonical();

    /** Returns how often the user stated it, at least 1. */
    int strength();

    /**
     * Returns {@code subject|predicate|object} in lower case with white space collapsed. Directives with the same key
     * are the same directive.
     */
    String dedupeKey();

    /**
     * Returns one line that confirms the directive to the user: its scope and sentence, and if it contradicts another
     * one, which of them holds and why.
     */
    String confirmation();

    /** The scope of a directive. */
    enum Scope {
        /** This project. */
        LOCAL,
        /** All projects of this user. */
        GLOBAL
    }

    /**
     * An atomic fact, as the X-MEM protocol defines it.
     *
     * @param subject what the fact is about
     * @param predicate the relation, such as {@code is}
     * @param object what holds of the subject
     */
    record Triple(String subject, String predicate, String object) {
        /** Throws {@link NullPointerException} if a part is null. */
        public Triple {
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(predicate, "predicate");
            Objects.requireNonNull(object, "object");
        }
    }

    /** A directive before it is stored. Immutable and thread-safe; each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** Returns a copy with the sentence to show. Default: the three parts of the triple. */
        public Draft canonical(String sentence) {
            return set("canonical", sentence);
        }

        /** Returns a copy for all projects of this user. Default: {@link Scope#LOCAL}. */
        public Draft global() {
            return set("scope", Scope.GLOBAL);
        }

        /** Returns a copy with these tags in place of the previous ones. Default: none. */
        public Draft tags(String... tags) {
            return set("tags", FieldSource.list("tags", tags));
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
