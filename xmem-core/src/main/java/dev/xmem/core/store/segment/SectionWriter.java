package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes the bytes of a segment, section by section, as {@link SectionFile} reads them. Not thread-safe. */
public final class SectionWriter {
    private final List<long[]> directory = new ArrayList<>();
    private byte[] bytes = new byte[1 << 16];
    private ByteBuffer out = view(bytes);
    private int sectionId;
    private int sectionStart = -1;

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins a section and ends the one before. */
    public void section(int id) {
        end();
        sectionId = id;
        sectionStart = out.position();
    }

    private void end() {
        if (sectionStart >= 0) {
            int length = out.position() - sectionStart;
            directory.add(new long[] {sectionId, sectionStart, length, crc(sectionStart, length)});
            sectionStart = -1;
        }
    }

    private long crc(int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return crc.getValue();
    }

    private void room(int more) {
        if (out.remaining() < more) {
            long size = Math.max(2L * bytes.length, (long) bytes.length + more);
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.min(size, Integer.MAX_VALUE - 16L)));
            ByteBuffer larger = view(bytes);
            larger.position(out.position());
            out = larger;
        }
    }

    void writeByte(int value) {
        room(1);
        out.put((byte) value);
    }

    void writeInt(int value) {
        room(Integer.BYTES);
        out.putInt(value);
    }

    void writeLong(long value) {
        room(Long.BYTES);
        out.putLong(value);
    }

    public void writeBytes(byte[] from, int start, int length) {
        room(length);
        out.put(from, start, length);
    }

    /** Writes the length of a text in bytes, then the bytes of {@link KeyCodec}. */
    void writeText(String text) {
        byte[] key = KeyCodec.of(text);
        writeInt(key.length);
        writeBytes(key, 0, key.length);
    }

    /** Ends the segment; returns its bytes. */
    public byte[] finish() {
        end();
        int start = out.position();
        for (long[] section : directory) {
            writeInt((int) section[0]);
            writeInt((int) section[1]);
            writeInt((int) section[2]);
            writeInt((int) section[3]);
        }
        int length = out.position() - start;
        int crc = (int) crc(start, length);
        writeInt(start);
        writeInt(length);
        writeInt(crc);
        writeInt(SectionFile.VERSION);
        writeLong(SectionFile.MAGIC);
        return Arrays.copyOf(bytes, out.position());
    }
}
