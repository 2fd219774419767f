package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Success;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the corpus.
 *
 * @param kind failure or success
 * @param fields the fields of its line in their order, all but id and time
 * @param hash its context hash
 * @param draft the same entry as a caller of xmem drafts it
 */
record CorpusEntry(Entry.Kind kind, Map<String, @Nullable Object> fields, ContextHash hash, EntryDraft draft) {
    static CorpusEntry failure(Map<String, @Nullable Object> fields, ContextHash hash) {
        Failure.Draft draft = Failure.of(text(fields, "tool"), text(fields, "action"), text(fields, "error"))
                .triedAlso(texts(fields, "tried_also"))
                .tags(texts(fields, "tags"))
                .sessionId(text(fields, "session_id"))
                .notes(text(fields, "notes"));
        boolean advised = fields.get("pattern_avoid") != null;
        draft = advised ? draft.patternAvoid(text(fields, "pattern_avoid")) : draft;
        return new CorpusEntry(Entry.Kind.FAILURE, fields, hash, draft);
    }

    static CorpusEntry success(Map<String, @Nullable Object> fields, ContextHash hash) {
        Success.Draft draft = Success.of(text(fields, "tool"), text(fields, "pattern_name"))
                .action(text(fields, "action"))
                .keySteps(texts(fields, "key_steps"))
                .tags(texts(fields, "tags"))
                .sessionId(text(fields, "session_id"));
        return new CorpusEntry(Entry.Kind.SUCCESS, fields, hash, draft);
    }

    boolean isFailure() {
        return kind == Entry.Kind.FAILURE;
    }

    /** The same failure with one more word in its notes. */
    CorpusEntry withNote(String word) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put("notes", text("notes") + " " + word);
        return failure(changed, hash);
    }

    /** The same entry with the hash that a hasher gives it. */
    CorpusEntry withHashFrom(ContextHasher hasher) {
        HashInput input = HashInput.of(text("tool"), text("action"));
        ContextHash made = hasher.hash(
                kind == Entry.Kind.FAILURE
                        ? input.error(hashKey(), null)
                        : input.patternName(hashKey()).keySteps(List.of(texts("key_steps"))));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put("ctx_hash", made.value());
        changed.put("subject", made.subject());
        if (made.subject().isEmpty()) {
            changed.remove("subject");
        }
        return new CorpusEntry(kind, changed, made, draft);
    }

    /** What the hash is looked up by: the error, or the success's name. */
    String hashKey() {
        return text(isFailure() ? "error" : "pattern_name");
    }

    String text(String field) {
        return text(fields, field);
    }

    String[] texts(String field) {
        return texts(fields, field);
    }

    private static String text(Map<String, @Nullable Object> fields, String field) {
        return fields.get(field) instanceof String text ? text : "";
    }

    private static String[] texts(Map<String, @Nullable Object> fields, String field) {
        return fields.get(field) instanceof List<?> list ? list.toArray(String[]::new) : new String[0];
    }
}
