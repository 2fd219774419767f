package dev.xmem.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An entry of the corpus as stored.
 *
 * @param line the line without the newline
 */
record StoredEntry(CorpusEntry entry, String id, String ts, String line) {
    /** Returns every text of the line. */
    List<String> texts() {
        List<String> texts = new ArrayList<>();
        texts.add(id);
        texts.add(ts);
        for (Object value : entry.fields().values()) {
            if (value instanceof String text) {
                texts.add(text);
            } else if (value instanceof List<?> list) {
                list.forEach(text -> texts.add((String) text));
            }
        }
        return texts;
    }

    static StoredEntry of(CorpusEntry entry, String id, String ts, LineWriter writer) {
        writer.write(entry, id, ts);
        String line = new String(writer.bytes(), 0, writer.length() - 1, StandardCharsets.UTF_8);
        return new StoredEntry(entry, id, ts, line);
    }
}
