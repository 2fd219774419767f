package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Keys as bytes, without loss for any Java string: a byte for each character if all are below U+0100 and the first is
 * not U+0000 (<em>narrow</em>); else a zero and two bytes for each (<em>wide</em>). Keys are ordered by their unsigned
 * bytes.
 */
final class KeyCodec {
    private KeyCodec() {}

    static byte[] of(String key) {
        return isWide(key) ? wide(key) : key.getBytes(StandardCharsets.ISO_8859_1);
    }

    static boolean isWide(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) > 0xFF || i == 0 && key.charAt(i) == 0) {
                return true;
            }
        }
        return false;
    }

    static byte[] wide(String key) {
        byte[] bytes = new byte[2 * key.length() + 1];
        for (int i = 0; i < key.length(); i++) {
            bytes[2 * i + 1] = (byte) (key.charAt(i) >> 8);
            bytes[2 * i + 2] = (byte) key.charAt(i);
        }
        return bytes;
    }

    static String text(byte[] key) {
        if (key.length == 0 || key[0] != 0) {
            return new String(key, StandardCharsets.ISO_8859_1);
        }
        char[] chars = new char[(key.length - 1) / 2];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) ((key[2 * i + 1] & 0xFF) << 8 | key[2 * i + 2] & 0xFF);
        }
        return new String(chars);
    }

    /** Compares a key with one in a buffer. Both buffers are little-endian. */
    static int compare(ByteBuffer key, ByteBuffer in, int at, int length) {
        return compare(key, 0, key.limit(), in, at, length);
    }

    /** Compares two keys in buffers. Both buffers are little-endian. */
    static int compare(ByteBuffer key, int start, int keyLength, ByteBuffer in, int at, int length) {
        int n = Math.min(keyLength, length);
        int i = 0;
        for (; i <= n - Long.BYTES; i += Long.BYTES) {
            long ours = key.getLong(start + i);
            long theirs = in.getLong(at + i);
            if (ours != theirs) {
                int differing = Long.numberOfTrailingZeros(ours ^ theirs) & -Byte.SIZE;
                return (int) (ours >>> differing & 0xFF) - (int) (theirs >>> differing & 0xFF);
            }
        }
        for (; i < n; i++) {
            int difference = (key.get(start + i) & 0xFF) - (in.get(at + i) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return keyLength - length;
    }
}
