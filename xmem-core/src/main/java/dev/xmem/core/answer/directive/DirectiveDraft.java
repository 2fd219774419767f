package dev.xmem.core.answer.directive;

import dev.xmem.Directive;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.StoredEntries;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes of the fields of a draft what can be stored as a directive, and of a stored one its reinforcement. */
public final class DirectiveDraft {
    private static final int CANONICAL_CHARS = 240;
    private static final Pattern TRANSIENT = Pattern.compile(
            "\\b(today|tonight|tomorrow|yesterday|right now|for now|just now|at the moment|this time"
                    + "|this (?:session|conversation|chat|task|run|morning|afternoon|evening|week))\\b",
            Pattern.CASE_INSENSITIVE);

    private DirectiveDraft() {}

    /**
     * Completes the fields: white space folded, sentence and dedupe key made where they are missing.
     *
     * @param triple the fact
     * @throws XMemException.Invalid if a part is empty, the kind is none, or the sentence speaks of something that is over soon
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

    /**
     * The fields of the line that reinforces a directive: its id, one more strength, the tags of both, and its sentence
     * unless another one was given.
     */
    public static void reinforce(Map<String, @Nullable Object> fields, Directive known) {
        reinforce(fields, known.id(), known.strength(), known.canonical(), known.tags());
    }

    /** As above, for a directive that is not stored yet: given by the fields of its line. */
    public static void reinforce(Map<String, @Nullable Object> fields, Map<String, @Nullable Object> known) {
        int strength = known.get("strength") instanceof Integer n ? n : 1;
        List<String> tags = known.get("tags") instanceof List<?> given
                ? given.stream().map(String.class::cast).toList()
                : List.of();
        String canonical = known.get("canonical") instanceof String given ? given : "";
        reinforce(fields, known.get("id"), strength, canonical, tags);
    }

    private static void reinforce(
            Map<String, @Nullable Object> fields,
            @Nullable Object id,
            int strength,
            String canonical,
            List<String> known) {
        fields.put("id", id);
        fields.put("strength", strength + 1);
        boolean plain = fields.get("triple") instanceof Directive.Triple triple
                && sentence(triple).equals(fields.get("canonical"));
        if (plain && !canonical.isEmpty()) {
            fields.put("canonical", canonical);
        }
        Set<String> tags = new LinkedHashSet<>(known);
        if (fields.get("tags") instanceof List<?> given) {
            given.forEach(tag -> tags.add((String) tag));
        }
        tags.remove("conflict");
        fields.put("tags", List.copyOf(tags));
    }

    /** The kind of a stored directive: rule, preference or constraint. */
    static String kindOf(Directive directive) {
        return Objects.requireNonNullElse(StoredEntries.field(directive, "kind"), "preference")
                .toLowerCase(Locale.ROOT);
    }

    private static String key(Directive.Triple triple) {
        return String.join("|", triple.subject(), triple.predicate(), triple.object())
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

    private static String folded(String text) {
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
                    "canonical",
                    "speaks of something that is over soon (\"" + found.group()
                            + "\"). Only what holds for longer is remembered; leave it out or write a note.");
        }
    }
}
