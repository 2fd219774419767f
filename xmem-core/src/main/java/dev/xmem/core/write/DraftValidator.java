package dev.xmem.core.write;

import dev.xmem.XMemException;
import dev.xmem.core.base.json.RawJson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the fields of one draft, and brings what stands for a type into that type. */
final class DraftValidator {
    private final Map<String, @Nullable Object> fields;

    DraftValidator(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /** A text that is there and says something. */
    String required(String name) {
        String text = present(name);
        if (text.isBlank()) {
            throw new XMemException.Invalid(name, "must not be empty.");
        }
        return text;
    }

    /** A text that is there. */
    String present(String name) {
        optional(name);
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new XMemException.Invalid(name, "is missing. Give it as a text.");
    }

    /** A text, the text of a JSON value, or what stands for it where there is none. */
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

    /** Texts or nothing; a number stands for its text. */
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

    /** Lists of texts or nothing. */
    void texts(String... names) {
        for (String name : names) {
            Object value = fields.get(name);
            if (value != null && !(value instanceof List)) {
                throw new XMemException.Invalid(name, "must be a list of texts, such as [\"git\",\"push\"].");
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
        if (value == null) {
            return;
        }
        double number = value instanceof Number given ? given.doubleValue() : parsed(value);
        if (!(number >= least && number <= most)) {
            String range = most > 1 ? least + " or more" : "from " + least + " to " + most;
            throw new XMemException.Invalid(name, "must be a number " + range + ".");
        }
    }

    @Nullable Integer integer(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return null;
        }
        double number = value instanceof Number given ? given.doubleValue() : parsed(value);
        if (number != Math.rint(number) || number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw new XMemException.Invalid(name, "must be a whole number.");
        }
        return (int) number;
    }

    private static double parsed(Object value) {
        try {
            return value instanceof RawJson raw ? Double.parseDouble(raw.text()) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
