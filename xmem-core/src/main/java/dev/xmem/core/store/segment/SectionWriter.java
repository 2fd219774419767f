package dev.xmem.core.store.segment;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bytes of a segment, section by section, as {@link SectionFile} reads them: into an array, or, of a segment
 * that is too large for one, to a stream. Not thread-safe.
 */
public final class SectionWriter {
    private final List<long[]> directory = new ArrayList<>();
    private final @Nullable OutputStream stream;
    private final CRC32C crc = new CRC32C();
    private byte[] bytes = new byte[1 << 16];
    /** How many bytes are in the stream. */
    private int streamed;

    private ByteBuffer out = view(bytes);
    private int sectionId;
    private int sectionStart = -1;

    /** A writer of an array, which {@link #finish} returns. */
    public SectionWriter() {
        this(null);
    }

    /** A writer to a stream; an {@link UncheckedIOException} has what the stream throws. */
    SectionWriter(@Nullable OutputStream stream) {
        this.stream = stream;
    }

    /** Writes a segment to a stream. */
    public static void write(Consumer<SectionWriter> content, OutputStream to) throws IOException {
        SectionWriter out = new SectionWriter(to);
        try {
            content.accept(out);
            out.finish();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The bytes of a segment. */
    public static byte[] bytes(Consumer<SectionWriter> content) {
        SectionWriter out = new SectionWriter();
        content.accept(out);
        return out.finish();
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Begins a section and ends the one before. */
    public void section(int id) {
        end();
        sectionId = id;
        sectionStart = position();
        crc.reset();
    }

    private int position() {
        return Math.addExact(streamed, out.position());
    }

    private void end() {
        if (sectionStart >= 0) {
            check();
            directory.add(new long[] {sectionId, sectionStart, position() - sectionStart, crc.getValue()});
            sectionStart = -1;
        }
    }

    /** Adds the bytes of the section that are not streamed yet to its checksum. */
    private void check() {
        int from = Math.max(0, sectionStart - streamed);
        crc.update(bytes, from, out.position() - from);
    }

    private void stream(OutputStream to) {
        if (sectionStart >= 0) {
            check();
        }
        try {
            to.write(bytes, 0, out.position());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        streamed = position();
        out.clear();
    }

    private void room(int more) {
        if (stream != null && out.remaining() < more) {
            stream(stream);
        }
        if (out.remaining() < more) {
            long size = Math.max(2L * bytes.length, (long) bytes.length + more);
            bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.min(size, Integer.MAX_VALUE - 16L)));
            ByteBuffer larger = view(bytes);
            larger.position(out.position());
            out = larger;
        }
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

    /** Writes a range of a buffer. */
    void writeBytes(ByteBuffer from, int start, int length) {
        for (int at = 0; at < length; ) {
            int n = Math.min(length - at, 1 << 14);
            room(n);
            from.get(start + at, bytes, out.position(), n);
            out.position(out.position() + n);
            at += n;
        }
    }

    /** Writes the length of a text in bytes, then the bytes of {@link KeyCodec}. */
    void writeText(String text) {
        byte[] key = KeyCodec.of(text);
        writeInt(key.length);
        writeBytes(key, 0, key.length);
    }

    /** Ends the segment; returns its bytes, or none if they are in the stream. */
    public byte[] finish() {
        end();
        int start = position();
        crc.reset();
        sectionStart = start;
        for (long[] section : directory) {
            writeInt((int) section[0]);
            writeInt((int) section[1]);
            writeInt((int) section[2]);
            writeInt((int) section[3]);
        }
        int length = position() - start;
        check();
        sectionStart = -1;
        writeInt(start);
        writeInt(length);
        writeInt((int) crc.getValue());
        writeInt(SectionFile.VERSION);
        writeLong(SectionFile.MAGIC);
        if (stream != null) {
            stream(stream);
        }
        return Arrays.copyOf(bytes, out.position());
    }
}
