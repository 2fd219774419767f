package dev.xmem.core.answer.outcome;

import dev.xmem.Entry;
import dev.xmem.Success;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.base.json.StoredEntries;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry as if its line had said from the beginning what later lines say of it. */
final class AmendedEntry {
    private static final List<String> STATE_FIELDS = List.of("outcomes", "pinned", "dismissed", "superseded_by");

    private AmendedEntry() {}

    static Entry of(LineCodec codec, Entry entry, EntryState state) {
        try {
            Map<String, @Nullable Object> fields =
                    new LinkedHashMap<>(codec.fields(entry.json().getBytes(StandardCharsets.UTF_8)));
            STATE_FIELDS.forEach(fields::remove);
            if (!state.tagged().isEmpty()) {
                fields.put("tags", state.tags(entry.tags()));
            }
            if (entry instanceof Success success && state.followed() > 0) {
                fields.put("confidence", state.confidence(success.confidence(), success.usageCount()));
                fields.put("usage_count", success.usageCount() + state.worked());
            }
            addState(fields, state);
            LineBuffer line = new LineBuffer();
            codec.write(Schema.of(entry.kind()), fields, line);
            return StoredEntries.of(codec, entry.kind(), Arrays.copyOf(line.array(), line.length() - 1), entry.id());
        } catch (MalformedLineException e) {
            return entry;
        }
    }

    private static void addState(Map<String, @Nullable Object> fields, EntryState state) {
        if (state.followed() + state.irrelevant() > 0) {
            fields.put(
                    "outcomes",
                    new RawJson("{\"worked\":" + state.worked() + ",\"failed\":" + state.failed() + ",\"irrelevant\":"
                            + state.irrelevant() + "}"));
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
