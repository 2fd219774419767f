package dev.xmem.transcripts;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** A set of numbers that are well distributed, such as {@link #key}; 0 is no member. Not thread-safe. */
final class LongSet {
    private static final int FIRST_SLOTS = 1 << 10;

    private long[] slots = new long[FIRST_SLOTS];
    private int size;

    /** The number of a text: the first bytes of its digest. */
    static long key(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            long key = ByteBuffer.wrap(digest).getLong();
            return key == 0 ? 1 : key;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Adds a number; returns false if it is a member already. */
    boolean add(long key) {
        int slot = slot(slots, key);
        if (slots[slot] == key) {
            return false;
        }
        slots[slot] = key;
        size++;
        if (size * 2 > slots.length) {
            long[] more = new long[slots.length * 2];
            Arrays.stream(slots).filter(each -> each != 0).forEach(each -> more[slot(more, each)] = each);
            slots = more;
        }
        return true;
    }

    boolean contains(long key) {
        return slots[slot(slots, key)] == key;
    }

    int size() {
        return size;
    }

    private static int slot(long[] slots, long key) {
        int slot = (int) (key & slots.length - 1);
        while (slots[slot] != 0 && slots[slot] != key) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
