package dev.xmem.cli.run;

import java.nio.charset.StandardCharsets;

/** The beginning and the end of an output, for the guard. Its memory is bounded. Thread-safe. */
final class KeptOutput {
    private static final int HEAD = 32 << 10;
    private static final int TAIL = 96 << 10;

    private final byte[] head = new byte[HEAD];
    private final byte[] tail = new byte[TAIL];
    private int inHead;
    private long inTail;

    synchronized void add(byte[] bytes, int length) {
        int first = Math.min(length, HEAD - inHead);
        System.arraycopy(bytes, 0, head, inHead, first);
        inHead += first;
        for (int i = Math.max(first, length - TAIL); i < length; i++) {
            tail[(int) (inTail++ % TAIL)] = bytes[i];
        }
    }

    /** What is kept, as text; where something is missing there is a line break. */
    synchronized String text() {
        int length = (int) Math.min(inTail, TAIL);
        byte[] end = new byte[length];
        for (int i = 0; i < length; i++) {
            end[i] = tail[(int) ((inTail - length + i) % TAIL)];
        }
        byte[] all = new byte[inHead + length];
        System.arraycopy(head, 0, all, 0, inHead);
        System.arraycopy(end, 0, all, inHead, length);
        return inTail <= TAIL
                ? new String(all, StandardCharsets.UTF_8)
                : new String(head, StandardCharsets.UTF_8) + '\n' + new String(end, StandardCharsets.UTF_8);
    }
}
