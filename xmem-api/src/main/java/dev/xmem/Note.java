package dev.xmem;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A journal note: a line of {@code notes.jsonl}, or of a journal that the seed's shell scripts also write. */
public non-sealed interface Note extends Entry {

    /**
     * A draft of a note.
     *
     * @param type a word such as {@code note}, {@code fact}, {@code task}
     * @param content the text
     */
    static Draft of(String type, String content) {
        return new Draft(FieldSource.of("type", type)).set("content", content);
    }

    /** A word such as {@code note}, {@code fact}, {@code task}. */
    String type();

    /** The text. */
    String content();

    /** More about it, as the text of a JSON object; null if none. */
    @Nullable String meta();

    /** What a caller knows of a note. Immutable: each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** Words to find it by. */
        public Draft tags(String... tags) {
            return set("tags", List.of(tags));
        }

        /** More about it, as the text of a JSON object. */
        public Draft meta(String jsonObject) {
            return set("meta", jsonObject);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
