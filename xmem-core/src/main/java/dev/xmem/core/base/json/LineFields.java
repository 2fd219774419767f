package dev.xmem.core.base.json;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one line in the form in which a store writes it: compact JSON. One pass over the bytes finds them; a
 * value is decoded when it is first read. {@link #of} returns null for a line in any other form, which
 * {@link LineCodec} parses; both have the same values. Thread-safe. Decision: docs/adr/0090-lines-in-one-pass.md.
 */
final class LineFields {
    private static final int MAX_BYTES = 1 << 24;

    /**
     * The numbers for each field: where its value begins and ends, its form, and the texts of the list that it is:
     * where they begin and end among the items.
     */
    static final int WIDTH = 5;

    static final int TEXT = 0;
    static final int TEXTS = 1;
    static final int RAW = 2;
    static final int NULL = 3;

    private static final int LONGEST_ESCAPE = "\\u0000".length();

    static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final byte[] line;
    private final FieldName[] names;
    private final int[] places;
    /** Where the texts of lists begin and end. */
    private final int[] items;

    private final int size;
    private final boolean wide;
    private final boolean escapes;
    /** The decoded values. Immutable objects, so it does not matter which thread's value stays. */
    private final @Nullable Object[] values;

    LineFields(byte[] line, FieldName[] names, int[] places, int[] items, int size, boolean wide, boolean escapes) {
        this.line = line;
        this.names = names;
        this.places = places;
        this.items = items;
        this.size = size;
        this.wide = wide;
        this.escapes = escapes;
        this.values = new @Nullable Object[size];
    }

    /** The fields of a line, which the caller must not change; null if it is not in the form of a store. */
    static @Nullable LineFields of(byte[] line) {
        return line.length > MAX_BYTES ? null : new LineScanner(line).scan();
    }

    /** A field as {@link LineCodec#fields} has it; null if it is missing or null. */
    @Nullable Object get(String name) {
        int hash = name.hashCode();
        for (int i = 0; i < size; i++) {
            if (names[i].hash == hash && names[i].text.equals(name)) {
                return value(i);
            }
        }
        return null;
    }

    /** All fields in their order, in a map of the caller's own. */
    Map<String, Object> map() {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Object value = value(i);
            if (value != null) {
                fields.put(names[i].text, value);
            }
        }
        return fields;
    }

    /**
     * Whether a value surely has a text, by the bytes of the line: a text beside an escape is not found.
     *
     * @param narrow the UTF-8 bytes of the text, one character each: at least three, none a control character, a
     *     quotation mark or a backslash
     */
    boolean surelyHas(String narrow) {
        String bytes = narrow(0, line.length);
        int field = 0;
        for (int at = bytes.indexOf(narrow); at >= 0; at = bytes.indexOf(narrow, at + 1)) {
            while (field < size && places[WIDTH * field + 1] <= at) {
                field++;
            }
            boolean inText = field < size && form(field) <= TEXTS && places[WIDTH * field] < at;
            if (inText && bytes.lastIndexOf('\\', at) < at - LONGEST_ESCAPE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Visits texts as {@link LineCodec#texts} does, until the visitor returns false. Visits nothing and returns false
     * if a field is an object or a list of other values than strings.
     */
    boolean texts(boolean stringsOnly, BiPredicate<String, String> visitor) {
        for (int i = 0; i < size; i++) {
            byte first = line[places[WIDTH * i]];
            if (form(i) == RAW && (first == '{' || first == '[')) {
                return false;
            }
        }
        boolean more = true;
        for (int i = 0; more && i < size; i++) {
            Object value = value(i);
            if (value instanceof String text) {
                more = visitor.test(names[i].text, text);
            } else if (value instanceof List<?> texts) {
                for (int k = 0; more && k < texts.size(); k++) {
                    more = visitor.test(names[i].text, (String) texts.get(k));
                }
            } else if (value instanceof RawJson raw && !stringsOnly && isNumber(raw.text())) {
                more = visitor.test(names[i].text, raw.text());
            }
        }
        return true;
    }

    private static boolean isNumber(String text) {
        return text.charAt(0) <= '9';
    }

    private int form(int i) {
        return places[WIDTH * i + 2];
    }

    private String narrow(int from, int end) {
        return new String(line, from, end - from, StandardCharsets.ISO_8859_1);
    }

    private @Nullable Object value(int i) {
        Object known = values[i];
        if (known == null && form(i) != NULL) {
            int from = places[WIDTH * i];
            int end = places[WIDTH * i + 1];
            known = switch (form(i)) {
                case TEXT -> text(from + 1, end - 1);
                case TEXTS -> list(places[WIDTH * i + 3], places[WIDTH * i + 4]);
                default -> new RawJson(narrow(from, end));
            };
            values[i] = known;
        }
        return known;
    }

    private List<String> list(int item, int end) {
        String[] texts = new String[(end - item) / 2];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = text(items[item + 2 * i], items[item + 2 * i + 1]);
        }
        return List.of(texts);
    }

    private String text(int from, int end) {
        String text = wide ? new String(line, from, end - from, StandardCharsets.UTF_8) : narrow(from, end);
        int escape = escapes ? text.indexOf('\\') : -1;
        if (escape < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        int done = 0;
        for (; escape >= 0; escape = text.indexOf('\\', done)) {
            out.append(text, done, escape);
            char mark = text.charAt(escape + 1);
            boolean unicode = mark == 'u';
            done = escape + (unicode ? 6 : 2);
            out.append(
                    unicode
                            ? (char) Integer.parseInt(text, escape + 2, done, 16)
                            : ESCAPED.charAt(ESCAPES.indexOf(mark)));
        }
        return out.append(text, done, text.length()).toString();
    }
}
