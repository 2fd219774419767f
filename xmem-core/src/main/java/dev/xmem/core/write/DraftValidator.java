package dev.xmem.core.write;

import dev.xmem.Limits;
import dev.xmem.XMemException;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.spi.ContextHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the fields of one draft against their types and {@link Limits}; converts JSON values to text where that fits.
 */
final class DraftValidator {
    private final Map<String, @Nullable Object> fields;

    DraftValidator(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /** Checks the id, the time and the hash that the caller gave; removes empty ones. */
    void given() {
        for (String name : List.of("id", "ts", "ctx_hash")) {
            fields.remove(name, "");
        }
        Object id = fields.get("id");
        if (id != null && !(id instanceof String text && DailyIdCounter.isId(text))) {
            throw new XMemException.Invalid(
                    "id", "must have the form YYYY-MM-DD-NNN; leave it out to have one assigned.");
        }
        Object ts = fields.get("ts");
        if (ts != null && !(ts instanceof String text && LineCodec.millis(text) >= 0)) {
            throw new XMemException.Invalid(
                    "ts", "must be a time such as 2026-02-14T16:30:00Z; leave it out for the current time.");
        }
        Object hash = fields.get("ctx_hash");
        boolean slug = hash instanceof String text && text.length() <= ContextHash.MAX_CHARS && isSlug(text);
        if (hash != null && !slug) {
            throw new XMemException.Invalid(
                    "ctx_hash", "must be lower-case words joined by hyphens, such as git-push-no-upstream.");
        }
    }

    /** Words of lower-case letters and digits, joined by single hyphens. */
    private static boolean isSlug(String text) {
        boolean between = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean inWord = c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
            if (!inWord && !(c == '-' && between)) {
                return false;
            }
            between = inWord;
        }
        return between;
    }

    /** Returns a text that must be present and not blank. */
    String required(String name) {
        String text = present(name);
        if (text.isBlank()) {
            throw new XMemException.Invalid(name, "must not be empty.");
        }
        return text;
    }

    /** Returns a text that must be present. */
    String present(String name) {
        optional(name);
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new XMemException.Invalid(name, "is missing. Give it as a text.");
    }

    /** Returns a text or the text of any JSON value. */
    String textOrJson(String name, String otherwise) {
        if (fields.get(name) instanceof RawJson raw) {
            fields.put(name, raw.text());
        }
        return text(name, otherwise);
    }

    String text(String name, String otherwise) {
        optional(name);
        return fields.get(name) instanceof String text ? text : otherwise;
    }

    /** Checks that fields are texts or absent; converts numbers and booleans to text. */
    void optional(String... names) {
        for (String name : names) {
            Object value = fields.get(name);
            if (value instanceof RawJson raw
                    && !raw.text().startsWith("{")
                    && !raw.text().startsWith("[")) {
                fields.put(name, raw.text());
            } else if (value != null && !(value instanceof String)) {
                throw new XMemException.Invalid(name, "must be a text.");
            }
        }
    }

    /** Checks that fields are lists of texts or absent. */
    void texts(String... names) {
        for (String name : names) {
            Object value = fields.get(name);
            if (value != null && !(value instanceof List)) {
                throw new XMemException.Invalid(name, "must be a list of texts, such as [\"git\",\"push\"].");
            }
            if (name.equals("tags") && value instanceof List<?> tags) {
                for (Object tag : tags) {
                    if (((String) tag).isBlank()) {
                        throw new XMemException.Invalid(name, "must not have an empty text.");
                    }
                }
            }
        }
    }

    List<String> list(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }

    void object(String name) {
        Object value = fields.get(name);
        if (value != null && !(value instanceof RawJson raw && raw.text().startsWith("{"))) {
            throw new XMemException.Invalid(name, "must be a JSON object.");
        }
    }

    void oneOf(String name, String... values) {
        Object value = fields.get(name);
        if (value != null && !List.of(values).contains(value)) {
            throw new XMemException.Invalid(name, "must be " + String.join(" or ", values) + ".");
        }
    }

    void number(String name, double least, double most) {
        Object value = fields.get(name);
        double number = number(value);
        if (value != null && !(number >= least && number <= most)) {
            String range = most > 1 ? least + " or more" : "from " + least + " to " + most;
            throw new XMemException.Invalid(name, "must be a number " + range + ".");
        }
    }

    @Nullable Integer integer(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return null;
        }
        double number = number(value);
        if (number != Math.rint(number) || number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw new XMemException.Invalid(name, "must be a whole number.");
        }
        return (int) number;
    }

    private static double number(@Nullable Object value) {
        try {
            if (value instanceof Number number) {
                return number.doubleValue();
            }
            return value instanceof RawJson raw ? Double.parseDouble(raw.text()) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Checks the sizes of all fields. */
    void sizes(Limits limits) {
        fields.forEach((name, value) -> {
            if (value instanceof String text) {
                size(name, text, limits);
            } else if (value instanceof RawJson raw) {
                size(name, raw.text(), limits);
            } else if (value instanceof List<?> items) {
                sizes(name, items, limits);
            }
        });
    }

    private static void sizes(String name, List<?> items, Limits limits) {
        boolean tags = name.equals("tags");
        int most = tags ? limits.tags() : limits.listItems();
        if (items.size() > most) {
            throw new XMemException.Limit("the number of " + name, items.size(), most);
        }
        for (Object item : items) {
            String text = (String) item;
            size(name, text, limits);
            if (tags && text.length() > limits.tagChars()) {
                throw new XMemException.Limit("the length of a tag in characters", text.length(), limits.tagChars());
            }
        }
    }

    private static void size(String name, String text, Limits limits) {
        int most = limits.fieldBytes();
        if (text.length() > most / 3) { // a char is at most three bytes
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > most) {
                throw new XMemException.Limit("the length of " + name + " in bytes", bytes, most);
            }
        }
    }
}
