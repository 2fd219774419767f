package dev.xmem.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.XMemStore;
import dev.xmem.core.fixtures.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a store shows: each id under which something was recorded once, by its own line or by one that covers it. */
final class Shown {
    private final Map<String, Entry> byId = new HashMap<>();

    Shown(XMemStore store) {
        for (Entry entry : Oracle.all(store)) {
            put(entry.id(), entry);
            Map<String, Object> line = Json.object(entry.json());
            List<?> covers = line.get("covers") instanceof List<?> list ? list : List.of();
            covers.forEach(covered -> put(covered.toString(), entry));
            if (!covers.isEmpty()) {
                assertThat(line.get("occurrences")).as(entry.json()).hasToString(Integer.toString(covers.size() + 1));
            }
        }
    }

    private void put(String id, Entry entry) {
        Entry other = byId.put(id, entry);
        assertThat(other).as(id + " is shown twice, also by " + entry.json()).isNull();
    }

    Set<String> ids() {
        return byId.keySet();
    }

    /** The line that stands for an id now; fails if there is none, or {@code find} says something else. */
    Entry required(XMemStore store, String id) {
        Entry entry = byId.get(id);
        assertThat(entry).as("acknowledged: " + id).isNotNull();
        assertThat(store.find(id)).as("find " + id).contains(entry);
        return entry;
    }
}
