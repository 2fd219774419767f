package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Where the posting lists of one key are, in the dictionary of a merged segment: the number of lists, then of each the
 * distance to the part that it is of and its length, all varints; then the lists, each as in the segment that it was
 * merged from. Immutable.
 */
final class PartPostings {
    /** More segments than this are not merged into one. */
    static final int MOST = 64;

    private final int[] parts;
    private final int[] ends;
    private final int begin;

    /**
     * Reads the value of a key.
     *
     * @param partCount how many parts the segment has
     */
    PartPostings(ByteBuffer in, int from, int to, int partCount) {
        int size = Objects.checkIndex(Varints.get(in, from), Math.min(partCount, MOST) + 1);
        this.parts = new int[size];
        this.ends = new int[size];
        int at = from + Varints.length(size);
        int part = 0;
        int end = 0;
        for (int i = 0; i < size; i++) {
            int distance = Varints.get(in, at);
            at += Varints.length(distance);
            part = Objects.checkIndex(part + distance, partCount);
            parts[i] = part;
            int length = Varints.get(in, at);
            at += Varints.length(length);
            end = Objects.checkFromIndexSize(end, length, to - from) + length;
            ends[i] = end;
        }
        this.begin = Objects.checkFromIndexSize(at, end, to);
    }

    private PartPostings(int from, int to) {
        this.parts = new int[1];
        this.ends = new int[] {to - from};
        this.begin = from;
    }

    /** The parts with a list, as bits. */
    static long parts(ByteBuffer in, int from, int partCount) {
        int size = Varints.get(in, from);
        int at = from + Varints.length(size);
        int part = 0;
        long parts = 0;
        for (int i = 0; i < size; i++) {
            int distance = Varints.get(in, at);
            at += Varints.length(distance);
            at += Varints.length(Varints.get(in, at));
            part = Objects.checkIndex(part + distance, partCount);
            parts |= 1L << part;
        }
        return parts;
    }

    /** The one list of a key in a segment that is not merged. */
    static PartPostings single(int from, int to) {
        return new PartPostings(from, to);
    }

    /** The number of the list of a part; negative if the part has none. */
    int find(int part) {
        return Arrays.binarySearch(parts, part);
    }

    /** The number of lists. */
    int size() {
        return parts.length;
    }

    /** The part that a list is of. */
    int part(int number) {
        return parts[number];
    }

    /** Where a list begins in the section. */
    int start(int number) {
        return number == 0 ? begin : begin + ends[number - 1];
    }

    /** Where a list ends in the section. */
    int end(int number) {
        return begin + ends[number];
    }

    /** Collects the lists of one key and writes them. Not thread-safe. */
    static final class Builder {
        private final ByteBuffer[] sources = new ByteBuffer[MOST];
        private final int[] parts = new int[MOST];
        private final int[] starts = new int[MOST];
        private final int[] lengths = new int[MOST];
        private int size;

        void clear() {
            size = 0;
        }

        /** Adds the list of a part, which is above those before. */
        void add(int part, ByteBuffer in, int start, int end) {
            sources[size] = in;
            parts[size] = part;
            starts[size] = start;
            lengths[size++] = end - start;
        }

        /** How many bytes {@link #write} writes. */
        int length() {
            int bytes = Varints.length(size);
            for (int i = 0; i < size; i++) {
                bytes += Varints.length(distance(i)) + Varints.length(lengths[i]) + lengths[i];
            }
            return bytes;
        }

        private int distance(int i) {
            return i == 0 ? parts[0] : parts[i] - parts[i - 1];
        }

        void write(SectionWriter out) {
            byte[] head = new byte[5 + 10 * size];
            int at = Varints.put(head, 0, size);
            for (int i = 0; i < size; i++) {
                at = Varints.put(head, at, distance(i));
                at = Varints.put(head, at, lengths[i]);
            }
            out.writeBytes(head, 0, at);
            for (int i = 0; i < size; i++) {
                out.writeBytes(sources[i], starts[i], lengths[i]);
            }
        }
    }
}
