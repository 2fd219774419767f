package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.StoredEntries;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Validates and completes the fields of a directive before it is stored, and turns a repetition into a reinforcement.
 */
public final class DirectiveDraft {
    private static final int CANONICAL_CHARS = 240;
    private static final Pattern TRANSIENT = Pattern.compile(
            "\\b(today|tonight|tomorrow|yesterday|right now|for now|just now|at the moment|this time"
                    + "|this (?:session|conversation|chat|task|run|morning|afternoon|evening|week))\\b",
            Pattern.CASE_INSENSITIVE);

    private DirectiveDraft() {}

    /**
     * Completes the fields: folds white space, and adds sentence, scope and dedupe key where they are missing.
     *
     * @throws XMemException.Invalid if a part is empty, the kind is unknown, or the sentence is about something
     *     transient
     * @throws XMemException.Limit if the sentence is longer than 240 characters
     */
    public static void complete(Map<String, @Nullable Object> fields, Directive.Triple triple) {
        Directive.Triple folded = new Directive.Triple(
                part("subject", triple.subject()),
                part("predicate", triple.predicate()),
                part("object", triple.object()));
        String canonical =
                fields.get("canonical") instanceof String given && !given.isBlank() ? folded(given) : sentence(folded);
        int length = canonical.codePointCount(0, canonical.length());
        if (length > CANONICAL_CHARS) {
            throw new XMemException.Limit("the length of canonical in characters", length, CANONICAL_CHARS);
        }
        refuseTransient(canonical);
        refuseTransient(sentence(folded));
        String scope = fields.get("scope") instanceof String given ? given : "local";
        requireOneOf("scope", scope, "local", "global");
        requireOneOf("kind", fields.get("kind"), "rule", "preference", "constraint");
        fields.put("scope", scope);
        fields.put("triple", folded);
        fields.put("canonical", canonical);
        fields.put("dedupe_key", key(folded));
    }

    /** Turns the fields of a repetition into the line that reinforces a stored directive. */
    public static void reinforce(Map<String, @Nullable Object> fields, Directive known) {
        reinforce(
                fields,
                Map.of(
                        "id", known.id(),
                        "strength", known.strength(),
                        "canonical", known.canonical(),
                        "tags", known.tags()));
    }

    /**
     * Turns the fields of a repetition into the line that reinforces a directive with other fields: its id, its
     * strength plus one, the tags of both, and its sentence unless the repetition has a sentence of its own.
     */
    public static void reinforce(Map<String, @Nullable Object> fields, Map<String, @Nullable Object> known) {
        fields.put("id", known.get("id"));
        fields.put("strength", (known.get("strength") instanceof Integer n ? n : 1) + 1);
        boolean generated = fields.get("triple") instanceof Directive.Triple triple
                && sentence(triple).equals(fields.get("canonical"));
        if (generated && known.get("canonical") instanceof String canonical && !canonical.isEmpty()) {
            fields.put("canonical", canonical);
        }
        Set<String> tags = new LinkedHashSet<>();
        for (Object list : Arrays.asList(known.get("tags"), fields.get("tags"))) {
            if (list instanceof List<?> given) {
                given.forEach(tag -> tags.add((String) tag));
            }
        }
        tags.remove("conflict");
        fields.put("tags", List.copyOf(tags));
    }

    /** The kind of a stored directive: rule, preference or constraint. */
    static String kindOf(Directive directive) {
        return Objects.requireNonNullElse(StoredEntries.field(directive, "kind"), "preference")
                .toLowerCase(Locale.ROOT);
    }

    /** The dedupe key of a directive. */
    public static String key(Directive.Triple triple) {
        return folded(String.join("|", triple.subject().strip(), triple.predicate(), triple.object()))
                .toLowerCase(Locale.ROOT);
    }

    private static String sentence(Directive.Triple triple) {
        return triple.subject() + " " + triple.predicate() + " " + triple.object();
    }

    private static String part(String name, String text) {
        String folded = folded(text);
        if (folded.isEmpty()) {
            throw new XMemException.Invalid("triple." + name, "must not be empty.");
        }
        return folded;
    }

    static String folded(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static void requireOneOf(String name, @Nullable Object value, String... values) {
        if (!(value instanceof String) || !List.of(values).contains(value)) {
            throw new XMemException.Invalid(name, "must be " + String.join(" or ", values) + ".");
        }
    }

    private static void refuseTransient(String sentence) {
        Matcher found = TRANSIENT.matcher(sentence);
        if (found.find()) {
            throw new XMemException.Invalid(
                    "",
                    "The sentence speaks of something that is over soon (\"" + found.group()
                            + "\"). Only what holds for longer is remembered; leave it out or write a note.");
        }
    }
}
