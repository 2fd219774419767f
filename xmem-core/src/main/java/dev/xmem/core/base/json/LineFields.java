package dev.xmem.core.base.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one line in the form in which a store writes it: compact JSON. One pass over the bytes finds them; a
 * value is decoded when it is first read. {@link #of(byte[])} returns null for a line in any other form, which
 * {@link LineCodec} parses; both have the same values. Thread-safe. Decision: docs/adr/0090-lines-in-one-pass.md.
 */
public final class LineFields {
    private static final int MAX_BYTES = 1 << 24;

    /**
     * The numbers for each field: where its value begins and ends, its form, and the texts of the list that it is:
     * where they begin and end among the items.
     */
    static final int WIDTH = 5;

    /** How many hash codes of names are told apart. */
    static final int HASHES = 64;

    static final int TEXT = 0;
    static final int TEXTS = 1;
    static final int RAW = 2;
    static final int NULL = 3;
    /** Added to a form: texts have escapes. */
    static final int ESCAPED = 4;

    private static final char[] NONE = {};
    private static final int LONGEST_ESCAPE = "\\u0000".length();

    static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED_CHARS = "\"\\/\b\f\n\r\t";

    private static final FieldName[] NO_NAMES = {};

    private final byte[] line;
    private final FieldName[] names;
    private final int[] places;
    /** Where the texts of lists begin and end. */
    private final int[] items;

    private final int size;
    /** The place of a name, from 1 on, by the low bits of its hash code; negative where several have these. */
    private final byte[] byHash;

    private final boolean wide;
    /** The decoded values. Immutable objects, so it does not matter which thread's value stays. */
    private final @Nullable Object[] values;
    /** The names of the fields of a line in another form, of which no bytes are known; else null. */
    private final String @Nullable [] parsedNames;
    /** Where these are: there may be very many. */
    private final Map<String, Integer> parsedPlaces;

    LineFields(byte[] line, FieldName[] names, int[] places, int[] items, int size, byte[] byHash, boolean wide) {
        this.line = line;
        this.names = names;
        this.places = places;
        this.items = items;
        this.size = size;
        this.byHash = byHash;
        this.wide = wide;
        this.values = new @Nullable Object[size];
        this.parsedNames = null;
        this.parsedPlaces = Map.of();
    }

    private LineFields(Map<String, Object> parsed) {
        this.line = new byte[0];
        this.names = NO_NAMES;
        this.places = new int[0];
        this.items = places;
        this.size = parsed.size();
        this.byHash = new byte[0];
        this.wide = false;
        this.values = parsed.values().toArray();
        this.parsedNames = parsed.keySet().toArray(String[]::new);
        this.parsedPlaces = new HashMap<>();
        for (int i = 0; i < size; i++) {
            parsedPlaces.put(parsedNames[i], i);
        }
    }

    /** The fields of a line in another form. */
    static LineFields of(Map<String, Object> parsed) {
        return new LineFields(parsed);
    }

    /** The fields of a line, which the caller must not change; null if it is not in the form of a store. */
    public static @Nullable LineFields of(byte[] line) {
        return of(line, 0, line.length);
    }

    /** The fields of a line in a range of an array. */
    public static @Nullable LineFields of(byte[] in, int from, int length) {
        return length > MAX_BYTES ? null : new LineScanner(in, from, from + length).scan();
    }

    /** A field as {@link LineCodec#fields} has it; null if it is missing or null. */
    public @Nullable Object get(String name) {
        int i = find(name, 0);
        return i < 0 ? null : value(i);
    }

    /** Whether the line has a field, even with the value null. */
    boolean has(String name) {
        return find(name, 0) >= 0;
    }

    /** The number of fields. */
    public int size() {
        return size;
    }

    /** The place of a field; -1 if it is missing. The place {@code first} is looked at before any other. */
    public int find(String name, int first) {
        if (parsedNames != null) {
            return parsedPlaces.getOrDefault(name, -1);
        }
        int hash = name.hashCode();
        if (first < size && names[first].is(name, hash)) {
            return first;
        }
        int place = byHash[hash & HASHES - 1] - 1;
        if (place >= -1) {
            return place >= 0 && names[place].is(name, hash) ? place : -1;
        }
        for (int i = 0; i < size; i++) {
            if (names[i].is(name, hash)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the value at a place is that of another line. */
    public boolean isSame(int place, LineFields other, int otherPlace) {
        if (parsedNames == null && other.parsedNames == null) {
            int i = WIDTH * place;
            int k = WIDTH * otherPlace;
            if (Arrays.equals(line, places[i], places[i + 1], other.line, other.places[k], other.places[k + 1])) {
                return true;
            }
            if (!isEscaped(place) && !other.isEscaped(otherPlace)) {
                return false;
            }
        }
        return Objects.equals(value(place), other.value(otherPlace));
    }

    /** Whether the value at a place is null. */
    public boolean isNull(int place) {
        return parsedNames == null && form(place) == NULL;
    }

    /** Whether the bytes of a value are those that are written for it. */
    public boolean isVerbatim(int place) {
        return parsedNames == null && !isEscaped(place); // a value of another form has no escapes at all
    }

    /** Whether the value at a place is neither a text, nor a list of texts, nor null. */
    public boolean isRaw(int place) {
        return parsedNames == null ? form(place) == RAW : values[place] instanceof RawJson;
    }

    /** Writes the bytes of a field: its name and its value. */
    void writeTo(LineBuffer out, int place) {
        int from = nameStart(place) - 1; // with the quotation mark
        out.write(line, from, places[WIDTH * place + 1] - from);
    }

    private int nameStart(int place) {
        return places[WIDTH * place] - names[place].length();
    }

    /** All fields in their order, in a map of the caller's own. */
    Map<String, Object> map() {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Object value = value(i);
            if (value != null) {
                fields.put(name(i), value);
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
                more = visitor.test(name(i), text);
            } else if (value instanceof List<?> texts) {
                for (int k = 0; more && k < texts.size(); k++) {
                    more = visitor.test(name(i), (String) texts.get(k));
                }
            } else if (value instanceof RawJson raw && !stringsOnly && raw.isNumber()) {
                more = visitor.test(name(i), raw.text());
            }
        }
        return true;
    }

    /** Visits the same texts, at any depth, as ranges of arrays, and the nested keys. */
    void texts(LineCodec.CharsConsumer visitor) {
        if (size == 0) {
            return;
        }
        int base = places[0];
        int end = places[WIDTH * (size - 1) + 1];
        char[] chars = wide ? NONE : narrow(base, end).toCharArray();
        boolean more = true;
        for (int i = 0; more && i < size; i++) {
            String name = name(i);
            int close = places[WIDTH * i + 1];
            for (int at = places[WIDTH * i]; more && at < close; at++) {
                byte first = line[at];
                int from = first == '"' ? at + 1 : at;
                if (first == '"') {
                    at = form(i) == TEXT ? close - 1 : textEnd(from);
                } else if (first == '-' || first >= '0' && first <= '9') {
                    at = numberEnd(from, close);
                } else {
                    continue;
                }
                if (wide) {
                    char[] text = text(i, from, at).toCharArray();
                    more = visitor.text(name, text, 0, text.length);
                } else {
                    int to = at - base;
                    int length = isEscaped(i) ? unescape(chars, from - base, to) : to - (from - base);
                    more = visitor.text(name, chars, from - base, length);
                }
            }
        }
    }

    /** The closing quotation mark of a text. */
    private int textEnd(int from) {
        int close = from;
        while (line[close] != '"') {
            close += line[close] == '\\' ? 2 : 1;
        }
        return close;
    }

    private int numberEnd(int from, int close) {
        int end = from;
        while (end < close && line[end] != ',' && line[end] != ']' && line[end] != '}') {
            end++;
        }
        return end;
    }

    private int form(int i) {
        return places[WIDTH * i + 2] & ~ESCAPED;
    }

    private boolean isEscaped(int i) {
        return (places[WIDTH * i + 2] & ESCAPED) != 0;
    }

    /** The name of the field at a place. */
    public String name(int i) {
        return parsedNames == null ? names[i].text : parsedNames[i];
    }

    private String narrow(int from, int end) {
        return new String(line, from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** The value of the field at a place; null if it is null. */
    public @Nullable Object value(int i) {
        Object known = values[i];
        if (known == null && form(i) != NULL) {
            int from = places[WIDTH * i];
            int end = places[WIDTH * i + 1];
            known = switch (form(i)) {
                case TEXT -> text(i, from + 1, end - 1);
                case TEXTS -> list(i, places[WIDTH * i + 3], places[WIDTH * i + 4]);
                default -> new RawJson(narrow(from, end));
            };
            values[i] = known;
        }
        return known;
    }

    private List<String> list(int i, int item, int end) {
        String[] texts = new String[(end - item) / 2];
        for (int k = 0; k < texts.length; k++) {
            texts[k] = text(i, items[item + 2 * k], items[item + 2 * k + 1]);
        }
        return List.of(texts);
    }

    private String text(int i, int from, int end) {
        String text = wide ? new String(line, from, end - from, StandardCharsets.UTF_8) : narrow(from, end);
        if (!isEscaped(i)) {
            return text;
        }
        char[] chars = text.toCharArray();
        return new String(chars, 0, unescape(chars, 0, chars.length));
    }

    /** Replaces the escapes in a range of an array by what they mean; returns the length from then on. */
    private static int unescape(char[] chars, int from, int end) {
        int to = from;
        for (int at = from; at < end; ) {
            char c = chars[at++];
            if (c == '\\') {
                char mark = chars[at++];
                if (mark == 'u') {
                    c = 0;
                    for (int digits = 4; digits > 0; digits--) {
                        c = (char) (c << 4 | Character.digit(chars[at++], 16));
                    }
                } else {
                    c = ESCAPED_CHARS.charAt(ESCAPES.indexOf(mark));
                }
            }
            chars[to++] = c;
        }
        return to - from;
    }
}
