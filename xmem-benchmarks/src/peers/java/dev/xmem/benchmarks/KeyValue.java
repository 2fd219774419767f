package dev.xmem.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Helpers of the key-value engines. The key is the context hash followed by the descending position, so the newest
 * entry of a hash comes first.
 */
final class KeyValue {
    private KeyValue() {}

    static Set<QueryType> supportedTypes() {
        return EnumSet.of(QueryType.PAGE_FIRST, QueryType.PAGE_AGAIN);
    }

    /** Returns the key of an entry: the hash, then the newest first. */
    static String key(StoredEntry stored, long seq) {
        return prefix(stored.entry().hash().value()) + String.format(Locale.ROOT, "%016x", Long.MAX_VALUE - seq);
    }

    static String prefix(String hash) {
        return hash + '\0';
    }

    static List<String> ids(List<byte[]> lines, LineParser parser) throws IOException {
        List<String> ids = new ArrayList<>(lines.size());
        for (byte[] line : lines) {
            Map<String, Object> fields = parser.fields(line);
            ids.add((String) fields.getOrDefault("id", ""));
        }
        return ids;
    }
}
