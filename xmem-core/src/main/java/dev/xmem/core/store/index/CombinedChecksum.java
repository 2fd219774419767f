package dev.xmem.core.store.index;

/**
 * The CRC-32C of bytes that follow each other, from the checksums of their parts: that of the first part is multiplied,
 * as a polynomial over GF(2), by x to the power of the number of bits that follow. M. Adler describes it in crc32.c of
 * zlib.
 */
final class CombinedChecksum {
    /** The polynomial of Castagnoli, lowest power in the highest bit. */
    private static final int POLYNOMIAL = 0x82F63B78;

    private static final int ONE = 1 << 31;

    private CombinedChecksum() {}

    /** The checksum of two parts, the second of which has this length in bytes. */
    static int of(int first, int second, long secondBytes) {
        int power = ONE;
        int square = ONE >>> Byte.SIZE; // x to the power of 8
        for (long rest = secondBytes; rest > 0; rest >>= 1) {
            power = (rest & 1) == 1 ? multiply(square, power) : power;
            square = multiply(square, square);
        }
        return multiply(power, first) ^ second;
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            product ^= (a & bit) == 0 ? 0 : shifted;
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : shifted >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }
}
