package dev.xmem;

import java.util.Map;
import java.util.Objects;

/**
 * An entry given as a line of NDJSON, to import what another tool or store wrote. Its kind follows from {@code type}
 * ({@code tool_failure}, {@code tool_success}; a line with a {@code dedupe_key} is a directive, every other one a note).
 * Required are {@code type} and {@code tool}, and {@code error} for a failure or {@code pattern_name} for a success; a
 * well-formed {@code id}, {@code ts} and {@code ctx_hash} are kept, what is missing is minted, unknown fields stay as they
 * are. A line whose id is already stored with the same content is acknowledged and stored once.
 */
public final class JsonDraft implements EntryDraft {
    private final String json;

    private JsonDraft(String json) {
        this.json = json;
    }

    /**
     * A draft from one JSON object. It is read when it is recorded, and refused then with
     * {@link XMemException.Invalid} where it is not one.
     */
    public static JsonDraft of(String jsonObject) {
        return new JsonDraft(Objects.requireNonNull(jsonObject, "jsonObject"));
    }

    /** The text it was made from. */
    public String json() {
        return json;
    }

    /** Empty: the fields are in {@link #json()}. */
    @Override
    public Map<String, Object> fields() {
        return Map.of();
    }
}
