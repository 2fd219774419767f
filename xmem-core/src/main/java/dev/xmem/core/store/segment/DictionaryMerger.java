package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges the dictionaries of consecutive segments: their keys in order, and of each key the posting lists as they are,
 * see {@link PartPostings}. Keeps two bytes for each key of each dictionary. Not thread-safe.
 */
final class DictionaryMerger {
    private static final int NEW_KEY = 0x8000;
    private static final int CHECKED_EVERY = 1 << 12;

    private final List<Source> sources = new ArrayList<>();
    /** The dictionary that each key is from, in the order of the keys; negative for the first with a key. */
    private short[] order = new short[1 << 12];

    private int entries;
    private int size;
    private KeyRange range = KeyRange.of("", "", 0);

    /** A dictionary, and how far it has been read. */
    private static final class Source {
        private final TermDictionary keys;
        private final int firstPart;
        private final int parts;
        /** The places of the keys that count; null if all do. */
        private final @Nullable BitSet some;

        private int place;
        /** The eight bytes behind those that all keys share, as an unsigned number with the order of the keys. */
        private long prefix;
        /** The rest of the key at hand, behind those bytes. */
        private int rest;

        private int restLength;

        Source(TermDictionary keys, int firstPart, int parts, @Nullable BitSet some) {
            this.keys = keys;
            this.firstPart = firstPart;
            this.parts = parts;
            this.some = some;
        }

        /** The place of the first key that counts from a place on; negative if there is none. */
        int from(int at) {
            return some != null ? some.nextSetBit(at) : at < keys.size() ? at : -1;
        }

        /** Goes to a key; all keys begin with {@code shared} bytes that are the same. */
        void moveTo(int key, int shared) {
            place = key;
            ByteBuffer in = keys.section();
            rest = keys.keyStart(key) + shared;
            restLength = keys.keyLength(key) - shared;
            if (restLength >= Long.BYTES) {
                prefix = Long.reverseBytes(in.getLong(rest)); // the buffer is little-endian
                return;
            }
            prefix = 0;
            for (int i = 0; i < restLength; i++) {
                prefix |= (in.get(rest + i) & 0xFFL) << Byte.SIZE * (Long.BYTES - 1 - i);
            }
        }

        /** Compares the keys at hand. */
        int compare(Source other) {
            return prefix == other.prefix
                    ? KeyCodec.compare(
                            keys.section(), rest, restLength, other.keys.section(), other.rest, other.restLength)
                    : Long.compareUnsigned(prefix, other.prefix);
        }

        void addLists(PartPostings.Builder lists) {
            ByteBuffer in = keys.section();
            int start = keys.valueStart(place);
            int end = keys.valueEnd(place);
            if (parts == 0) {
                lists.add(firstPart, in, start, end);
            } else {
                PartPostings merged = new PartPostings(in, start, end, parts);
                for (int i = 0; i < merged.size(); i++) {
                    lists.add(firstPart + merged.part(i), in, merged.start(i), merged.end(i));
                }
            }
        }
    }

    /**
     * Adds the next dictionary, of which at most {@link PartPostings#MOST} are added before {@link #write}.
     *
     * @param firstPart its part, or its first one if it is merged itself
     * @param parts how many parts it has; 0 if it is not merged
     */
    void add(ByteBuffer section, int firstPart, int parts) {
        sources.add(new Source(new TermDictionary(section), firstPart, parts, null));
    }

    /**
     * Adds the next of fewer than {@value #NEW_KEY} dictionaries for {@link #visit}.
     *
     * @param some the places of the keys that count; null if all do
     */
    void add(TermDictionary keys, @Nullable BitSet some) {
        sources.add(new Source(keys, 0, 0, some));
    }

    /** Writes the section; to be called once. */
    void write(SectionWriter out, BooleanSupplier stopped) {
        sort(stopped);
        out.writeInt(size);
        PartPostings.Builder lists = new PartPostings.Builder();
        int[] end = {0};
        eachKey(stopped, null, (keys, place) -> {
            end[0] = Math.addExact(end[0], keys.keyLength(place));
            out.writeInt(end[0]);
        });
        end[0] = 0;
        eachKey(stopped, lists, (keys, place) -> {
            end[0] = Math.addExact(end[0], lists.length());
            out.writeInt(end[0]);
        });
        eachKey(
                stopped,
                null,
                (keys, place) -> out.writeBytes(keys.section(), keys.keyStart(place), keys.keyLength(place)));
        eachKey(stopped, lists, (keys, place) -> lists.write(out));
    }

    /** Takes the value of a key in each dictionary that has it, then the key. */
    interface ValueVisitor {
        /** Takes the value at a place of the dictionary that was added under a number. */
        void value(int source, TermDictionary keys, int place);

        /** All values of a key were passed on; it is at this place of the first dictionary that has it. */
        void key(TermDictionary keys, int place);
    }

    /** Passes on the keys in order, each with its values; to be called once. */
    void visit(ValueVisitor visitor) {
        sort(() -> false);
        sources.forEach(source -> source.place = source.from(0));
        for (int i = 0; i < entries; ) {
            Source first = sources.get(order[i] & NEW_KEY - 1);
            int place = first.place;
            do {
                int number = order[i++] & NEW_KEY - 1;
                Source source = sources.get(number);
                visitor.value(number, source.keys, source.place);
                source.place = source.from(source.place + 1);
            } while (i < entries && order[i] >= 0);
            visitor.key(first.keys, place);
        }
    }

    /** The range of the keys that were written. */
    KeyRange range() {
        return range;
    }

    /** Finds the order of the keys with a heap of the dictionaries. */
    private void sort(BooleanSupplier stopped) {
        int shared = sharedBytes();
        int[] heap = new int[sources.size()];
        int n = 0;
        for (int i = 0; i < heap.length; i++) {
            int least = sources.get(i).from(0);
            if (least >= 0) {
                sources.get(i).moveTo(least, shared);
                heap[n++] = i;
            }
        }
        for (int i = n / 2 - 1; i >= 0; i--) {
            sift(heap, n, i);
        }
        String first = "";
        TermDictionary keys = null;
        int place = 0;
        long prefix = 0;
        int second = second(heap, n);
        while (n > 0) {
            Source least = sources.get(heap[0]);
            boolean isNew = keys == null
                    || keys == least.keys
                    || prefix != least.prefix
                    || !same(keys, place, least.keys, least.place);
            if (isNew) {
                first = keys == null ? least.keys.key(least.place) : first;
                keys = least.keys;
                place = least.place;
                prefix = least.prefix;
                size++;
            }
            note(isNew ? heap[0] | NEW_KEY : heap[0], stopped);
            int next = least.from(least.place + 1);
            if (next < 0) {
                heap[0] = heap[--n];
            } else {
                least.moveTo(next, shared);
                if (second < 0 || isBefore(heap[0], heap[second])) {
                    continue; // several keys in a row are from one dictionary
                }
            }
            sift(heap, n, 0);
            second = second(heap, n);
        }
        range = KeyRange.of(first, keys == null ? "" : keys.key(place), size);
    }

    /** How many bytes all keys begin with: those that the first and the last key of each dictionary share. */
    private int sharedBytes() {
        TermDictionary before = null;
        int shared = Integer.MAX_VALUE;
        for (Source source : sources) {
            int last = source.keys.size() - 1;
            if (last >= 0) {
                before = before == null ? source.keys : before;
                shared = Math.min(shared, sharedBytes(before, source.keys, 0));
                shared = Math.min(shared, sharedBytes(before, source.keys, last));
            }
        }
        return shared;
    }

    /** How many bytes the first key of a dictionary shares with a key of another. */
    private static int sharedBytes(TermDictionary keys, TermDictionary others, int place) {
        int most = Math.min(keys.keyLength(0), others.keyLength(place));
        int same = 0;
        while (same < most
                && keys.section().get(keys.keyStart(0) + same)
                        == others.section().get(others.keyStart(place) + same)) {
            same++;
        }
        return same;
    }

    /** The place of the least source but the first in the heap; -1 if there is none. */
    private int second(int[] heap, int n) {
        return n < 2 ? -1 : n == 2 || isBefore(heap[1], heap[2]) ? 1 : 2;
    }

    private void note(int source, BooleanSupplier stopped) {
        if (entries % CHECKED_EVERY == 0) {
            SegmentMerger.check(stopped);
        }
        if (entries == order.length) {
            order = Arrays.copyOf(order, entries + (entries >> 1));
        }
        order[entries++] = (short) source;
    }

    private static boolean same(TermDictionary keys, int place, TermDictionary others, int other) {
        int length = keys.keyLength(place);
        return length == others.keyLength(other) && compare(keys, place, others, other) == 0;
    }

    private static int compare(TermDictionary keys, int place, TermDictionary others, int other) {
        return KeyCodec.compare(
                keys.section(),
                keys.keyStart(place),
                keys.keyLength(place),
                others.section(),
                others.keyStart(other),
                others.keyLength(other));
    }

    private void sift(int[] heap, int n, int from) {
        int i = from;
        for (int child = 2 * i + 1; child < n; child = 2 * i + 1) {
            if (child + 1 < n && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], heap[i])) {
                return;
            }
            int other = heap[i];
            heap[i] = heap[child];
            heap[child] = other;
            i = child;
        }
    }

    private boolean isBefore(int one, int other) {
        Source a = sources.get(one);
        Source b = sources.get(other);
        int difference = a.compare(b);
        return difference < 0 || difference == 0 && one < other;
    }

    /** Takes a key, at a place of the first dictionary that has it. */
    private interface KeyVisitor {
        void key(TermDictionary keys, int place);
    }

    /** Passes on each key in order; collects its lists before, if they are needed. */
    private void eachKey(BooleanSupplier stopped, PartPostings.@Nullable Builder lists, KeyVisitor visitor) {
        sources.forEach(source -> source.place = 0);
        int visited = 0;
        for (int i = 0; i < entries; ) {
            Source first = sources.get(order[i] & NEW_KEY - 1);
            int place = first.place;
            if (lists != null) {
                lists.clear();
            }
            do {
                Source source = sources.get(order[i] & NEW_KEY - 1);
                if (lists != null) {
                    source.addLists(lists);
                }
                source.place++;
                i++;
            } while (i < entries && order[i] >= 0);
            visitor.key(first.keys, place);
            if (++visited % CHECKED_EVERY == 0) {
                SegmentMerger.check(stopped);
            }
        }
    }
}
