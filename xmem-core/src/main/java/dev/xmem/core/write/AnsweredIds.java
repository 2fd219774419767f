package dev.xmem.core.write;

import dev.xmem.EntryDraft;
import dev.xmem.JsonDraft;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The ids that a new success answers, as far as this store must have them. */
final class AnsweredIds {
    private AnsweredIds() {}

    /**
     * The ids that are looked up: not those of peers, whose entries may come later, nor those of a line that brings its
     * own id. It was recorded elsewhere, and what it answers may come later or be gone.
     */
    static List<String> of(EntryDraft draft) {
        Map<String, Object> fields = draft.fields();
        if (draft instanceof JsonDraft json) {
            fields = fields(json, "\"answers\"");
        }
        if (fields.containsKey("id") || !(fields.get("answers") instanceof Collection<?> given)) {
            return List.of();
        }
        List<String> ids = new ArrayList<>(given.size());
        for (Object id : given) {
            if (id instanceof String text && text.indexOf('@') < 0) {
                ids.add(text);
            }
        }
        return ids;
    }

    /** Whether a line of the batch brings an id. */
    static boolean brings(List<? extends EntryDraft> batch, String id) {
        return batch.stream()
                .anyMatch(draft -> draft instanceof JsonDraft json
                        && id.equals(fields(json, id).get("id")));
    }

    /** The fields of a line with a text; none if it is malformed, which is said when it is recorded. */
    private static Map<String, Object> fields(JsonDraft draft, CharSequence text) {
        try {
            return draft.json().contains(text)
                    ? LineCodec.fields(draft.json().getBytes(StandardCharsets.UTF_8))
                    : Map.of();
        } catch (MalformedLineException e) {
            return Map.of();
        }
    }
}
