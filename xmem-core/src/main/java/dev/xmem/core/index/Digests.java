package dev.xmem.core.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Which line has which bytes: a table from a 64-bit digest to an ordinal. One thread only. */
final class Digests {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[256];
    private int[] ordinals = new int[256];
    private int size;

    /** A digest that is equal on every machine; not one against forgery, so the bytes are compared too. */
    static long of(byte[] bytes, int offset, int length) {
        long h = length * MULTIPLIER;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            h = mix(h ^ (long) LONGS.get(bytes, offset + i));
        }
        long last = 0;
        for (int shift = 0; i < length; i++, shift += 8) {
            last |= (bytes[offset + i] & 0xFFL) << shift;
        }
        h = mix(mix(h ^ last));
        return h == 0 ? 1 : h;
    }

    private static long mix(long h) {
        long m = h * MULTIPLIER;
        return m ^ (m >>> 29);
    }

    /** The ordinal with this digest, or -1. */
    int get(long digest) {
        int mask = keys.length - 1;
        for (int i = (int) digest & mask; keys[i] != 0; i = (i + 1) & mask) {
            if (keys[i] == digest) {
                return ordinals[i];
            }
        }
        return -1;
    }

    void put(long digest, int ordinal) {
        if (2 * ++size > keys.length) {
            grow();
        }
        place(keys, ordinals, digest, ordinal);
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldOrdinals = ordinals;
        keys = new long[2 * oldKeys.length];
        ordinals = new int[keys.length];
        Arrays.fill(keys, 0);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                place(keys, ordinals, oldKeys[i], oldOrdinals[i]);
            }
        }
    }

    private static void place(long[] keys, int[] ordinals, long digest, int ordinal) {
        int mask = keys.length - 1;
        int i = (int) digest & mask;
        while (keys[i] != 0) {
            i = (i + 1) & mask;
        }
        keys[i] = digest;
        ordinals[i] = ordinal;
    }
}
