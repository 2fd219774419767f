package dev.xmem;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pattern that worked: a line of {@code successes.jsonl}. */
public non-sealed interface Success extends Entry {

    /**
     * A draft of a success.
     *
     * @param tool the tool's name, such as {@code git}
     * @param patternName what a person would call it, such as {@code Atomic commit with Co-Authored-By}
     */
    static Draft of(String tool, String patternName) {
        return new Draft(FieldSource.of("tool", tool)).set("pattern_name", patternName);
    }

    /** The tool's name. */
    String tool();

    /** What a person would call it. */
    String patternName();

    /** The steps that reproduce it, in order; empty if none were given. */
    List<String> keySteps();

    /** The parameters that matter, as the text of a JSON object; {@code {}} if none were given. */
    String criticalParams();

    /**
     * How reliable it is, 0.0 to 1.0. Default 0.5, the prior of something seen once. Votes move it: with the line's own
     * confidence {@code c} and {@code w = 1 + usage_count} of the line, from 2 to 20, it is the mean of the Beta posterior,
     * {@code (c·w + worked) / (w + worked + failed)} (Gelman et al., <cite>Bayesian Data Analysis</cite>, 3rd edition,
     * section 2.4).
     */
    double confidence();

    /** How often it was applied successfully: as its line says, default 1, and once for each vote that it worked. */
    long usageCount();

    /** The family of this pattern, {@code tool-action-signature}. */
    String ctxHash();

    /** The session it was learned in; null if unknown. */
    @Nullable String sessionId();

    /** The ids of the failures that it answers; empty if none are linked. */
    List<String> answers();

    /** What a caller knows of a success. Immutable: each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** The steps that reproduce it, in order. */
        public Draft keySteps(String... steps) {
            return set("key_steps", List.of(steps));
        }

        /** The parameters that matter, as the text of a JSON object. */
        public Draft criticalParams(String jsonObject) {
            return set("critical_params", jsonObject);
        }

        /**
         * How reliable it is.
         *
         * @throws IllegalArgumentException unless 0.0 ≤ c ≤ 1.0
         */
        public Draft confidence(double c) {
            if (!(c >= 0.0 && c <= 1.0)) {
                throw new IllegalArgumentException("confidence must be from 0.0 to 1.0, not " + c);
            }
            return set("confidence", c);
        }

        /** Words to find it by. */
        public Draft tags(String... tags) {
            return set("tags", List.of(tags));
        }

        /** The session it was learned in. */
        public Draft sessionId(String id) {
            return set("session_id", id);
        }

        /** The ids of the failures that it answers. */
        public Draft answers(String... failureIds) {
            return set("answers", List.of(failureIds));
        }

        /** The operation it belongs to, such as {@code commit}: the middle part of its context hash. */
        public Draft action(String action) {
            return set("action", action);
        }

        /** A short name of what makes it work, such as {@code heredoc}: the last part of its context hash. */
        public Draft signature(String signature) {
            return set("signature", signature);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
