package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;

/** Variable-length numbers from 0: seven bits in each byte, the lowest first, the high bit set in all but the last. */
final class Varints {
    private Varints() {}

    /** Writes a number; returns where the next one goes. */
    static int put(byte[] into, int at, int number) {
        int i = at;
        int rest = number;
        for (; rest >= 0x80; rest >>>= 7) {
            into[i++] = (byte) (rest | 0x80);
        }
        into[i++] = (byte) rest;
        return i;
    }

    /** The number at a position. */
    static int get(ByteBuffer in, int at) {
        int b = in.get(at);
        int number = b & 0x7F;
        for (int shift = 7, i = at + 1; b < 0; shift += 7, i++) {
            b = in.get(i);
            number |= (b & 0x7F) << shift;
        }
        return number;
    }

    /** How many bytes a number takes. */
    static int length(int number) {
        return number < 1 << 7 ? 1 : number < 1 << 14 ? 2 : number < 1 << 21 ? 3 : number < 1 << 28 ? 4 : 5;
    }
}
