package dev.xmem.core.write;

import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.RawJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the fields of an entry against {@link Limits}. */
final class FieldSizeCheck {
    private final Limits limits;

    FieldSizeCheck(Limits limits) {
        this.limits = limits;
    }

    void check(Map<String, @Nullable Object> fields) {
        fields.forEach((name, value) -> {
            if (value instanceof String text) {
                bytes(name, text);
            } else if (value instanceof RawJson raw) {
                bytes(name, raw.text());
            } else if (value instanceof List<?> items) {
                items(name, items);
            }
        });
    }

    private void items(String name, List<?> items) {
        boolean tags = name.equals("tags");
        int most = tags ? limits.tags() : limits.listItems();
        if (items.size() > most) {
            throw new XMemException.Limit("the number of " + name, items.size(), most);
        }
        for (Object item : items) {
            String text = (String) item;
            bytes(name, text);
            if (tags && text.length() > limits.tagChars()) {
                throw new XMemException.Limit("the length of a tag in characters", text.length(), limits.tagChars());
            }
        }
    }

    private void bytes(String name, String text) {
        int most = limits.fieldBytes();
        if (text.length() > most / 3) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > most) {
                throw new XMemException.Limit("the length of " + name + " in bytes", bytes, most);
            }
        }
    }
}
