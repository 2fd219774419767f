package dev.xmem;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A success: a pattern that worked, a line of {@code successes.jsonl}. */
public non-sealed interface Success extends Entry {

    /**
     * Creates a draft of a success.
     *
     * @param tool the tool's name, such as {@code git}
     * @param patternName a descriptive name, such as {@code Atomic commit with Co-Authored-By}
     */
    static Draft of(String tool, String patternName) {
        return new Draft(FieldSource.of("tool", tool)).set("pattern_name", patternName);
    }

    /** Returns the name of the tool. */
    String tool();

    /** Returns the descriptive name. */
    String patternName();

    /** Returns the steps that reproduce the pattern, in order; empty if there are none. */
    List<String> keySteps();

    /** Returns the essential parameters as the text of a JSON object; {@code {}} if there are none. */
    String criticalParams();

    /**
     * Returns the reliability of the pattern, 0.0 to 1.0. Default 0.5, the prior of a pattern that was observed once.
     *
     * <p>Outcomes update it. With the confidence {@code c} of the line, and a prior weight {@code w = 1 + usage_count}
     * of the line that is clamped to the range 2 to 20, the result is the mean of the Beta posterior,
     * {@code (c·w + worked) / (w + worked + failed)} (Gelman et al., <cite>Bayesian Data Analysis</cite>, 3rd edition,
     * section 2.4).
     */
    double confidence();

    /**
     * Returns how often the pattern was applied successfully: the count of the line, default 1, plus one per vote that
     * it worked.
     */
    long usageCount();

    /**
     * Returns the context hash, the family of the pattern: {@code tool-action-signature}. A recorded retry has the hash
     * of the failure that it answers, which may be without the action.
     */
    String ctxHash();

    /** Returns the session that learned the pattern; null if unknown. */
    @Nullable String sessionId();

    /** Returns the ids of the failures that this success answers; empty if there are none. */
    List<String> answers();

    /** A success before it is stored. Immutable and thread-safe; each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** Returns a copy with the steps that reproduce the pattern, in order. Default: none. */
        public Draft keySteps(String... steps) {
            return set("key_steps", FieldSource.list("steps", steps));
        }

        /**
         * Returns a copy with the essential parameters, the text of a JSON object, which is validated when recorded.
         */
        public Draft criticalParams(String jsonObject) {
            return set("critical_params", jsonObject);
        }

        /**
         * Returns a copy with the reliability, 0.0 to 1.0. Default 0.5.
         *
         * @throws IllegalArgumentException unless 0.0 ≤ c ≤ 1.0
         */
        public Draft confidence(double c) {
            if (!(c >= 0.0 && c <= 1.0)) {
                throw new IllegalArgumentException("confidence must be from 0.0 to 1.0, not " + c);
            }
            return set("confidence", c);
        }

        /** Returns a copy with these tags in place of the previous ones. Default: none. */
        public Draft tags(String... tags) {
            return set("tags", FieldSource.list("tags", tags));
        }

        /** Returns a copy with the session that learned the pattern. Default: unknown. */
        public Draft sessionId(String id) {
            return set("session_id", id);
        }

        /** Returns a copy with the ids of the failures that it answers. Default: none. */
        public Draft answers(String... failureIds) {
            return set("answers", FieldSource.list("failureIds", failureIds));
        }

        /** Returns a copy with the operation, such as {@code commit}: the middle part of the context hash. */
        public Draft action(String action) {
            return set("action", action);
        }

        /**
         * Returns a copy with a short name of the solution, such as {@code heredoc}: the last part of the context hash,
         * behind the operation if there is an action. To give a success the whole hash of a failure, record a
         * {@link JsonDraft} with its {@code ctx_hash}.
         */
        public Draft signature(String signature) {
            return set("signature", signature);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
