package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A posting list in a segment: the number of ordinals, then the first ordinal and the distances, all varints. Decoded
 * when an ordinal is first needed; the count is known before.
 */
final class EncodedPostings implements Postings {
    private final ByteBuffer in;
    private final int start;
    private final int size;
    private final int lines;
    private volatile int @Nullable [] decoded;

    /** @param lines the number of lines of the segment, above all ordinals */
    EncodedPostings(ByteBuffer in, int from, int lines) {
        this.in = in;
        this.size = Objects.checkIndex(Varints.get(in, from), lines + 1);
        this.start = from + Varints.length(size);
        this.lines = lines;
    }

    /** The bytes of the ordinals below a cutoff. */
    static byte[] encode(Postings postings, int cutoff) {
        int n = postings.countBelow(cutoff);
        byte[] bytes = new byte[5 * (n + 1)];
        int at = Varints.put(bytes, 0, n);
        int before = 0;
        for (int i = 0; i < n; i++) {
            at = Varints.put(bytes, at, postings.at(i) - before);
            before = postings.at(i);
        }
        return Arrays.copyOf(bytes, at);
    }

    private int[] ordinals() {
        int[] known = decoded;
        if (known == null) {
            known = new int[size];
            int at = start;
            int ordinal = 0;
            for (int i = 0; i < size; i++) {
                int distance = Varints.get(in, at);
                at += Varints.length(distance);
                ordinal = Objects.checkIndex(ordinal + distance, lines);
                known[i] = ordinal;
            }
            decoded = known;
        }
        return known;
    }

    @Override
    public int countBelow(int cutoff) {
        if (cutoff >= lines) {
            return size;
        }
        int at = Arrays.binarySearch(ordinals(), cutoff);
        return at < 0 ? -at - 1 : at;
    }

    @Override
    public int at(int place) {
        return ordinals()[place];
    }

    @Override
    public boolean contains(int ordinal) {
        return Arrays.binarySearch(ordinals(), ordinal) >= 0;
    }
}
