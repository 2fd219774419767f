package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.Success;
import dev.xmem.core.base.json.RawJson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the state of an entry into the fields of its line. */
final class AmendedEntry {
    private static final List<String> STATE_FIELDS = List.of("outcomes", "pinned", "dismissed", "superseded_by");

    private AmendedEntry() {}

    static void put(Map<String, @Nullable Object> fields, Entry entry, EntryState state) {
        STATE_FIELDS.forEach(fields::remove);
        if (!state.tagged().isEmpty()) {
            fields.put("tags", state.tags(entry.tags()));
        }
        if (entry instanceof Success success && state.followed() > 0) {
            fields.put("confidence", state.confidence(success.confidence(), success.usageCount()));
            fields.put("usage_count", success.usageCount() + state.worked());
        }
        if (state.followed() + state.irrelevant() > 0) {
            String votes = "{\"worked\":" + state.worked() + ",\"failed\":" + state.failed() + ",\"irrelevant\":"
                    + state.irrelevant() + "}";
            fields.put("outcomes", new RawJson(votes));
        }
        if (state.pinned()) {
            fields.put("pinned", new RawJson("true"));
        }
        if (state.dismissed() != null) {
            fields.put("dismissed", state.dismissed());
        }
        if (state.supersededBy() != null) {
            fields.put("superseded_by", state.supersededBy());
        }
    }
}
