package dev.xmem.core.store.index;

import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Compares the bytes of a log with the columns of its lines: each line has to be where they say, and to have the digest
 * that they say. Reads the bytes once, in large blocks. For one range and one thread.
 */
final class LineCheck {
    private static final int BLOCK_BYTES = 256 << 10;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final LogFile file;
    private final long to;
    private final CRC32C crc = new CRC32C();
    private byte[] block;
    private long start;
    private int filled;
    private long at;
    /** The length of the last line that was found. */
    private int length;

    /** A check of a range of a file. */
    LineCheck(LogFile file, long from, long to) {
        this.file = file;
        this.to = to;
        this.start = from;
        this.at = from;
        this.block = new byte[(int) Math.min(BLOCK_BYTES, Math.max(1, to - from))];
    }

    /** Whether a line with a digest is there, behind those that were found before. */
    boolean has(long offset, int bytes, long digest) throws IOException {
        if (offset < at || bytes < 0 || bytes > file.lineBytes() || !reads(offset + bytes)) {
            return false;
        }
        at = offset + bytes;
        length = bytes;
        return DigestTable.of(block, (int) (offset - start), bytes) == digest;
    }

    /**
     * Whether only line ends and blanks, with a newline last, are between the last line that was found and the next;
     * before the first line, a byte order mark may be before them.
     */
    boolean isBlankUntil(long next) throws IOException {
        if (next <= at || next - at > file.lineBytes() || !reads(next)) {
            return false;
        }
        int end = (int) (next - start);
        int from = (int) (at - start);
        int mark = BYTE_ORDER_MARK.length;
        if (at == 0 && end >= mark && Arrays.equals(block, 0, mark, BYTE_ORDER_MARK, 0, mark)) {
            from = mark;
        }
        long line = length; // with the blanks behind it, which count when it is read
        for (int i = from; i < end; i++) {
            boolean ends = block[i] == '\n';
            if (!ends && block[i] != '\r' && block[i] != ' ' && block[i] != '\t' || line > file.lineBytes() + 1L) {
                return false;
            }
            line = ends ? 0 : line + 1;
        }
        return from == end || block[end - 1] == '\n';
    }

    /** The checksum of the whole range. */
    int crc() throws IOException {
        at = to;
        while (start + filled < to) {
            at = start + filled;
            if (!reads(Math.min(to, at + block.length))) {
                throw new IOException(file.path() + " is shorter than it was");
            }
        }
        return (int) crc.getValue();
    }

    /** Reads on until the block ends at an offset or later; keeps what is not yet compared. */
    private boolean reads(long end) throws IOException {
        if (end > to) {
            return false;
        }
        while (end > start + filled) {
            int kept = (int) Math.max(0, start + filled - at);
            System.arraycopy(block, filled - kept, block, 0, kept);
            start += filled - kept;
            filled = kept;
            if (end - start > block.length) {
                block = Arrays.copyOf(block, Math.toIntExact(end - start));
            }
            int wanted = (int) Math.min(block.length - filled, to - start - filled);
            int read = file.readRaw(start + filled, block, filled, wanted);
            if (read <= 0) {
                return false;
            }
            crc.update(block, filled, read);
            filled += read;
        }
        return true;
    }
}
