package dev.xmem;

import java.util.Map;
import java.util.Objects;

/**
 * A draft given as a line of NDJSON, for importing entries of another tool or store. Immutable and thread-safe.
 *
 * <p>Its kind follows from {@code type}: {@code tool_failure} or {@code tool_success}; a line with a {@code dedupe_key}
 * is a directive, any other line a note. Failures and successes need {@code tool}, and {@code error} or
 * {@code pattern_name}. A well-formed {@code id}, {@code ts} and {@code ctx_hash} are kept, missing ones are assigned,
 * and unknown fields are kept unchanged. A line that is already stored with the same id and content is acknowledged and
 * not stored again.
 */
public final class JsonDraft implements EntryDraft {
    private final String json;

    private JsonDraft(String json) {
        this.json = json;
    }

    /**
     * Creates a draft from one JSON object. The text is parsed when the draft is recorded; if it is malformed,
     * recording throws {@link XMemException.Invalid}.
     */
    public static JsonDraft of(String jsonObject) {
        return new JsonDraft(Objects.requireNonNull(jsonObject, "jsonObject"));
    }

    /** Returns the JSON text. */
    public String json() {
        return json;
    }

    /** Returns an empty map: the fields are in {@link #json()}. */
    @Override
    public Map<String, Object> fields() {
        return Map.of();
    }
}
