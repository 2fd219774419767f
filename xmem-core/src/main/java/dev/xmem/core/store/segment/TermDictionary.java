package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sorted keys with values, in a section: the number of keys (int); the end of each key and the end of each value
 * (ints); the keys, in the order of their bytes; the values. Keys are found by binary search. Immutable and
 * thread-safe.
 */
final class TermDictionary {
    private final ByteBuffer in;
    private final int size;
    private final int keys;
    private final int values;
    private final KeyRange range;

    /** The dictionary in a section. */
    TermDictionary(ByteBuffer section) {
        this.in = section;
        this.size = section.getInt(0);
        this.keys = Integer.BYTES * (1 + 2 * size);
        this.values = keys + (size == 0 ? 0 : keyEnd(size - 1));
        this.range = size == 0 ? KeyRange.of("", "", 0) : KeyRange.of(key(0), key(size - 1), size);
    }

    /** Collects keys and values in any order and writes them sorted. Not thread-safe. */
    static final class Builder {
        private final ByteArrays keys;
        private final ByteArrays values;
        private int @Nullable [] order;

        Builder() {
            this(new ByteArrays(), new ByteArrays());
        }

        /** Different keys and, under the same numbers, their values. A key with an empty value is left out. */
        Builder(ByteArrays keys, ByteArrays values) {
            this.keys = keys;
            this.values = values;
        }

        /** Adds a key that is not there yet. */
        void put(String key, byte[] value) {
            byte[] bytes = KeyCodec.of(key);
            keys.add(bytes, 0, bytes.length);
            values.add(value, 0, value.length);
            order = null;
        }

        /** Says that the keys were added in their order. */
        void sorted() {
            int[] known = new int[keys.count()];
            Arrays.setAll(known, number -> number);
            order = known;
        }

        /** The numbers of the keys with a value, in the order of the keys. */
        private int[] order() {
            int[] known = order;
            if (known == null) {
                known = keys.order();
                int n = 0;
                for (int number : known) {
                    known[n] = number;
                    n += values.end(number) > values.start(number) ? 1 : 0;
                }
                known = Arrays.copyOf(known, n);
                order = known;
            }
            return known;
        }

        /** Writes it as the content of a section. */
        void write(SectionWriter out) {
            out.writeInt(order().length);
            ends(keys, out);
            ends(values, out);
            content(keys, out);
            content(values, out);
        }

        private void ends(ByteArrays slices, SectionWriter out) {
            int end = 0;
            for (int number : order()) {
                end += slices.end(number) - slices.start(number);
                out.writeInt(end);
            }
        }

        private void content(ByteArrays slices, SectionWriter out) {
            for (int number : order()) {
                out.writeBytes(slices.bytes(), slices.start(number), slices.end(number) - slices.start(number));
            }
        }

        /** The range of the keys. */
        KeyRange range() {
            int n = order().length;
            return n == 0 ? KeyRange.of("", "", 0) : KeyRange.of(key(0), key(n - 1), n);
        }

        private String key(int place) {
            return KeyCodec.text(keys.get(order()[place]));
        }

        /** Puts the place that each key is written at into a map. */
        void places(Map<String, Integer> into) {
            for (int place = 0; place < order().length; place++) {
                into.put(key(place), place);
            }
        }
    }

    /** The section, in which the values are. */
    ByteBuffer section() {
        return in;
    }

    /** The number of keys. */
    int size() {
        return size;
    }

    /** Adds the key at a place to others. */
    void copyKey(int place, ByteArrays to) {
        int length = keyLength(place);
        int at = to.reserve(length);
        in.get(keyStart(place), to.bytes(), at, length);
    }

    /** Where the key at a place begins in the section. */
    int keyStart(int place) {
        return keys + keyEnd(place - 1);
    }

    /** The length of the key at a place. */
    int keyLength(int place) {
        return keyEnd(place) - keyEnd(place - 1);
    }

    /** The first and the last key. */
    KeyRange range() {
        return range;
    }

    private int keyEnd(int place) {
        return place < 0 ? 0 : end(1 + place);
    }

    private int valuesEnd(int place) {
        return place < 0 ? 0 : end(1 + size + place);
    }

    private int end(int number) {
        return Objects.checkIndex(in.getInt(Integer.BYTES * number), in.limit());
    }

    /** The key at a place. */
    String key(int place) {
        int from = keyEnd(place - 1);
        byte[] key = new byte[keyEnd(place) - from];
        in.get(keys + from, key);
        return KeyCodec.text(key);
    }

    /** The place of a key; negative if it is not there. */
    int find(String key) {
        return range.mayHave(key) ? find(KeyCodec.of(key)) : -1;
    }

    private int find(byte[] key) {
        ByteBuffer wanted = ByteBuffer.wrap(key).order(in.order());
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int from = keyEnd(middle - 1);
            int order = KeyCodec.compare(wanted, in, keys + from, keyEnd(middle) - from);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return -low - 1;
    }

    /**
     * Passes on the keys that begin with a prefix: first those of narrow characters in order, then the others in order,
     * both until {@code each} returns false.
     */
    void keys(String prefix, Predicate<String> each) {
        byte[] key = KeyCodec.of(prefix);
        keys(key, each);
        if (key.length > 0 && key[0] != 0) {
            keys(KeyCodec.wide(prefix), each);
        }
    }

    private void keys(byte[] prefix, Predicate<String> each) {
        ByteBuffer wanted = ByteBuffer.wrap(prefix).order(in.order());
        int at = find(prefix);
        for (int place = at < 0 ? -at - 1 : at; place < size; place++) {
            int from = keyEnd(place - 1);
            int length = keyEnd(place) - from;
            if (length < prefix.length
                    || KeyCodec.compare(wanted, in, keys + from, prefix.length) != 0
                    || !each.test(key(place))) {
                return;
            }
        }
    }

    /** Where the value at a place begins in the section. */
    int valueStart(int place) {
        return values + valuesEnd(place - 1);
    }

    /** Where the value at a place ends in the section. */
    int valueEnd(int place) {
        return values + valuesEnd(place);
    }
}
