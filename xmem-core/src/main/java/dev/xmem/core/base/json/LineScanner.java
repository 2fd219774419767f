package dev.xmem.core.base.json;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link LineFields} of a line in the form in which a store writes it, in one pass. A method that finds the
 * end of something returns -1 for what has another form. For one line.
 */
final class LineScanner {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_NUMBER = 40;
    /** Far more than a store writes. Each name is looked for among all others. */
    private static final int MAX_FIELDS = 64;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;

    private final byte[] line;
    private final int begin;
    private final int to;
    private final ByteBuffer longs;
    private FieldName[] names = new FieldName[16];
    private int[] places = new int[LineFields.WIDTH * 16];
    private int size;
    /** As the fields have it; a name that is there twice is noticed. */
    private final byte[] byHash = new byte[LineFields.HASHES];

    /** Where the texts of lists begin and end, without their quotation marks. */
    private int[] items = new int[32];

    private int itemMarks;
    private int form;
    /** Whether a text since the last field has escapes. */
    private boolean escaped;

    private boolean wide;

    /** A scanner of the line in a range of an array. */
    LineScanner(byte[] line, int from, int to) {
        this.line = line;
        this.begin = from;
        this.to = to;
        this.longs = ByteBuffer.wrap(line).order(ByteOrder.LITTLE_ENDIAN); // a VarHandle takes 5 ms to create
        longs.limit(to);
    }

    @Nullable LineFields scan() {
        if (at(begin) != '{') {
            return null;
        }
        FieldName name = FieldName.BEGIN;
        int end = begin;
        do {
            int from = end + 2;
            name = at(end + 1) == '"' ? name.followedBy(longs, from) : null;
            if (name == null) {
                return null;
            }
            int value = from + name.length();
            int first = itemMarks;
            end = valueEnd(value);
            if (end < 0 || !add(name, value, end, first)) {
                return null;
            }
        } while (at(end) == ',');
        boolean whole = at(end) == '}' && end + 1 == to;
        return whole && isUtf8() ? new LineFields(line, names, places, items, size, byHash, wide) : null;
    }

    /** A line with U+FFFD itself is taken for one that is not UTF-8: the parser reads it. */
    private boolean isUtf8() {
        return !wide || new String(line, begin, to - begin, StandardCharsets.UTF_8).indexOf('\uFFFD') < 0;
    }

    private byte at(int i) {
        return i < to ? line[i] : 0;
    }

    /** Adds a field; false if one has this name already, or there are very many: the parser reads such a line. */
    private boolean add(FieldName name, int from, int end, int first) {
        int slot = name.hash & LineFields.HASHES - 1;
        boolean alone = byHash[slot] == 0;
        if (!alone) {
            for (int i = 0; i < size; i++) {
                if (names[i].is(name.text, name.hash)) {
                    return false;
                }
            }
        }
        if (size == MAX_FIELDS) {
            return false;
        }
        byHash[slot] = (byte) (alone ? size + 1 : -1);
        if (size == names.length) {
            names = Arrays.copyOf(names, 2 * size);
            places = Arrays.copyOf(places, 2 * places.length);
        }
        names[size] = name;
        int place = LineFields.WIDTH * size++;
        places[place] = from;
        places[place + 1] = end;
        places[place + 2] = form | (escaped ? LineFields.ESCAPED : 0);
        places[place + 3] = first;
        places[place + 4] = itemMarks;
        escaped = false;
        return true;
    }

    private int valueEnd(int from) {
        switch (at(from)) {
            case '"' -> {
                form = LineFields.TEXT;
                return 1 + textEnd(from + 1);
            }
            case '[' -> {
                return listEnd(from);
            }
            case 'n' -> {
                form = LineFields.NULL;
                return literalEnd(from, "null");
            }
            default -> {
                form = LineFields.RAW;
                return rawEnd(from, 0);
            }
        }
    }

    private int listEnd(int from) {
        form = LineFields.TEXTS;
        if (at(from + 1) == ']') {
            return from + 2;
        }
        int end = from;
        do {
            if (at(end + 1) != '"') {
                form = LineFields.RAW;
                return rawEnd(from, 0);
            }
            int text = end + 2;
            int close = textEnd(text);
            if (close < 0) {
                return -1;
            }
            if (itemMarks == items.length) {
                items = Arrays.copyOf(items, 2 * itemMarks);
            }
            items[itemMarks++] = text;
            items[itemMarks++] = close;
            end = close + 1;
        } while (at(end) == ',');
        return at(end) == ']' ? end + 1 : -1;
    }

    /** The end of a value whose bytes are what {@link LineCodec} makes of it. */
    private int rawEnd(int from, int depth) {
        byte first = at(from);
        if (first == '"') {
            int end = plainEnd(from + 1);
            return end < 0 ? -1 : end + 1;
        }
        if (first == '{' || first == '[') {
            return depth == MAX_DEPTH ? -1 : structureEnd(from, first == '{', depth);
        }
        return switch (first) {
            case 't' -> literalEnd(from, "true");
            case 'f' -> literalEnd(from, "false");
            case 'n' -> literalEnd(from, "null");
            default -> numberEnd(from);
        };
    }

    private int structureEnd(int from, boolean object, int depth) {
        byte close = (byte) (object ? '}' : ']');
        if (at(from + 1) == close) {
            return from + 2;
        }
        int end = from;
        do {
            int value = end + 1;
            if (object) {
                int nameEnd = at(value) == '"' ? plainEnd(value + 1) : -1;
                if (nameEnd < 0 || at(nameEnd + 1) != ':') {
                    return -1;
                }
                value = nameEnd + 2;
            }
            end = rawEnd(value, depth + 1);
            if (end < 0) {
                return -1;
            }
        } while (at(end) == ',');
        return at(end) == close ? end + 1 : -1;
    }

    private int literalEnd(int from, String literal) {
        for (int i = 0; i < literal.length(); i++) {
            if (at(from + i) != literal.charAt(i)) {
                return -1;
            }
        }
        return from + literal.length();
    }

    private int numberEnd(int from) {
        int whole = at(from) == '-' ? from + 1 : from;
        int end = digitsEnd(whole);
        if (end == whole || at(whole) == '0' && end > whole + 1) {
            return -1;
        }
        if (at(end) == '.') {
            int fraction = end + 1;
            end = digitsEnd(fraction);
            if (end == fraction) {
                return -1;
            }
        }
        if (at(end) == 'e' || at(end) == 'E') {
            int exponent = at(end + 1) == '-' || at(end + 1) == '+' ? end + 2 : end + 1;
            end = digitsEnd(exponent);
            if (end == exponent) {
                return -1;
            }
        }
        return end - from > MAX_NUMBER ? -1 : end;
    }

    private int digitsEnd(int from) {
        int end = from;
        while (at(end) >= '0' && at(end) <= '9') {
            end++;
        }
        return end;
    }

    /** The closing quotation mark of a text of ASCII characters without escapes. */
    private int plainEnd(int from) {
        return FieldName.plainEnd(longs, from);
    }

    /** The closing quotation mark of a text; -2 if there is none. */
    private int textEnd(int from) {
        int i = from;
        while (i < to) {
            if (i + Long.BYTES <= to) {
                long special = special(longs.getLong(i));
                if (special == 0) {
                    i += Long.BYTES;
                    continue;
                }
                i += Long.numberOfTrailingZeros(special) >>> 3;
            }
            byte c = line[i];
            if (c == '"') {
                return i;
            }
            if (c == '\\') {
                escaped = true;
                i = escapeEnd(i);
                if (i < 0) {
                    return -2;
                }
            } else if (c < 0) {
                wide = true;
                i++;
            } else if (c < ' ') {
                return -2;
            } else {
                i++;
            }
        }
        return -2;
    }

    /**
     * The highest bit of the first byte that is a quotation mark, a backslash, a control or not ASCII. Bits above it
     * mean nothing: only such a byte borrows from the next.
     */
    private static long special(long bytes) {
        long quotes = (bytes ^ '"' * ONES) - ONES;
        long backslashes = (bytes ^ '\\' * ONES) - ONES;
        return (bytes | bytes - ' ' * ONES | quotes | backslashes) & HIGH;
    }

    private int escapeEnd(int from) {
        byte mark = at(from + 1);
        if (mark != 'u') {
            return mark > 0 && LineFields.ESCAPES.indexOf(mark) >= 0 ? from + 2 : -1;
        }
        for (int i = from + 2; i < from + 6; i++) {
            if (at(i) <= 0 || Character.digit((char) at(i), 16) < 0) {
                return -1;
            }
        }
        return from + 6;
    }
}
