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
 * @param fields the fields of the line in order, without id and timestamp
 * @param hash the context hash
 * @param draft the same entry as a draft for the public API of xmem
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

    /** Returns the same failure with one more word in its notes. */
    CorpusEntry withNote(String word) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put("notes", text("notes") + " " + word);
        return failure(changed, hash);
    }

    /** Returns the same entry with more words in its error, or in the name of a success. */
    CorpusEntry withText(String words) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        String field = isFailure() ? "error" : "pattern_name";
        changed.put(field, text(field) + " " + words);
        return isFailure() ? failure(changed, hash) : success(changed, hash);
    }

    /** Returns the same entry with the context hash that the hasher computes. */
    CorpusEntry withHashFrom(ContextHasher hasher) {
        HashInput input = HashInput.of(text("tool"), text("action"));
        ContextHash computed = hasher.hash(
                kind == Entry.Kind.FAILURE
                        ? input.error(hashKey(), null)
                        : input.patternName(hashKey()).keySteps(List.of(texts("key_steps"))));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.put("ctx_hash", computed.value());
        changed.put("subject", computed.subject());
        if (computed.subject().isEmpty()) {
            changed.remove("subject");
        }
        return new CorpusEntry(kind, changed, computed, draft);
    }

    /** Returns the key of a precomputed hash: the error of a failure, or the name of a success. */
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
