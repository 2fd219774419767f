package dev.xmem;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A journal note: a line of {@code notes.jsonl}, or of a journal that scripts of the X-MEM protocol also write. */
public non-sealed interface Note extends Entry {

    /**
     * Creates a draft of a note.
     *
     * @param type a word such as {@code note}, {@code fact} or {@code task}
     * @param content the text
     */
    static Draft of(String type, String content) {
        return new Draft(FieldSource.of("type", type)).set("content", content);
    }

    /** Returns the type, a word such as {@code note}, {@code fact} or {@code task}. */
    String type();

    /** Returns the text. */
    String content();

    /** Returns further data as the text of a JSON object; null if there is none. */
    @Nullable String meta();

    /** A note before it is stored. Immutable and thread-safe; each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** Returns a copy with these tags in place of the previous ones. Default: none. */
        public Draft tags(String... tags) {
            return set("tags", FieldSource.list("tags", tags));
        }

        /**
         * Returns a copy with further data, the text of a JSON object, which is validated when the note is recorded.
         */
        public Draft meta(String jsonObject) {
            return set("meta", jsonObject);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
