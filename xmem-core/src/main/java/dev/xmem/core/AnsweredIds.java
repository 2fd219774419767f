package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.JsonDraft;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.StoredEntries;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a new success that answers an id that no entry has: its lesson would never be told. A line that brings its own
 * id was recorded elsewhere, and what it answers may come later or be gone; so may the entry of a peer.
 */
final class AnsweredIds {
    private AnsweredIds() {}

    static void check(LineCodec codec, EntryDraft draft, Function<String, Optional<Entry>> find) {
        for (Object id : answers(codec, draft)) {
            if (id instanceof String text && !StoredEntries.isOfPeer(text)) {
                check(text, find.apply(text).orElse(null));
            }
        }
    }

    private static void check(String id, @Nullable Entry entry) {
        if (entry == null) {
            throw new XMemException.Invalid(
                    "answers", "has an id that no entry has: " + id + ". Search shows the ids of entries.");
        } else if (entry.id().startsWith(id) && !entry.id().equals(id)) {
            throw new XMemException.Invalid("answers", "needs the whole id: " + entry.id() + ", not " + id + ".");
        }
    }

    private static Collection<?> answers(LineCodec codec, EntryDraft draft) {
        Map<String, Object> fields = draft.fields();
        if (draft instanceof JsonDraft json) {
            fields = json.json().contains("\"answers\"") ? fields(codec, json.json()) : Map.of();
        }
        boolean isNew = !fields.containsKey("id");
        return isNew && fields.get("answers") instanceof Collection<?> ids ? ids : List.of();
    }

    /** The fields of a line; none if it is malformed, which is said when it is recorded. */
    private static Map<String, Object> fields(LineCodec codec, String json) {
        try {
            return codec.fields(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedLineException e) {
            return Map.of();
        }
    }
}
