package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A segment file as sections: the bytes of the sections, then a directory with the id, offset, length and CRC-32C of
 * each (four ints), then a trailer: offset, length and CRC-32C of the directory, the version (ints), and a magic number
 * (long). The directory is checked when the file is opened, a section when it is first read: opening a large file costs
 * little. Immutable and thread-safe.
 *
 * <p>Checksums find damage, but not a change by a program that computes them. Whatever is in a file, reading it ends,
 * and takes no more memory than the file has bytes; contents that contradict each other cause an
 * {@link IndexOutOfBoundsException} or another {@link RuntimeException}.
 */
public final class SectionFile {
    /** The version of the format. */
    public static final int VERSION = 5;

    /** The last eight bytes of every segment: {@code xmem-seg}. */
    static final long MAGIC = 0x6765732D6D656D78L;

    static final int TRAILER_BYTES = 24;
    private static final int ENTRY_BYTES = 16;

    private final ByteBuffer bytes;
    private final Map<Integer, Section> sections;
    /** The part of a merged segment whose sections these are; -1 for all. */
    private final int part;

    /** An entry of the directory. */
    private static final class Section {
        private final int from;
        private final int length;
        private final int crc;
        private volatile boolean checked;

        Section(int from, int length, int crc) {
            this.from = from;
            this.length = length;
            this.crc = crc;
        }
    }

    private SectionFile(ByteBuffer bytes, Map<Integer, Section> sections, int part) {
        this.bytes = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.sections = sections;
        this.part = part;
    }

    /** The sections of one part of a merged segment. */
    SectionFile part(int number) {
        return new SectionFile(bytes, sections, number);
    }

    /** How many parts a merged segment has; 0 for another segment. */
    int parts() throws CorruptSegmentException {
        return sections.containsKey(SectionIds.PARTS)
                ? section(SectionIds.PARTS).getInt()
                : 0;
    }

    /** Whether there is a section with this id, which not every segment has. */
    boolean has(int id) {
        return sections.containsKey(id);
    }

    /** The length of the file in bytes. */
    public int length() {
        return bytes.limit();
    }

    /**
     * Opens a segment.
     *
     * @throws CorruptSegmentException if it is no segment, of another version, cut or damaged
     */
    public static SectionFile of(ByteBuffer bytes) throws CorruptSegmentException {
        SectionFile segment = new SectionFile(bytes, new HashMap<>(), -1);
        segment.open();
        return segment;
    }

    private void open() throws CorruptSegmentException {
        int trailer = bytes.limit() - TRAILER_BYTES;
        if (trailer < 0 || bytes.getLong(trailer + 16) != MAGIC) {
            throw new CorruptSegmentException("is not a segment, or is cut off");
        }
        int version = bytes.getInt(trailer + 12);
        if (version != VERSION) {
            throw new CorruptSegmentException(
                    "is of version " + version + (version > VERSION ? ", too new" : ", too old"));
        }
        int start = bytes.getInt(trailer);
        int length = bytes.getInt(trailer + 4);
        check(start, length, bytes.getInt(trailer + 8));
        if (length % ENTRY_BYTES != 0) {
            throw new CorruptSegmentException("has a directory of " + length + " bytes");
        }
        for (int at = start; at < start + length; at += ENTRY_BYTES) {
            Section section = new Section(bytes.getInt(at + 4), bytes.getInt(at + 8), bytes.getInt(at + 12));
            sections.put(bytes.getInt(at), section);
        }
    }

    private void check(int from, int length, int expected) throws CorruptSegmentException {
        if (from < 0 || length < 0 || (long) from + length > bytes.limit()) {
            throw new CorruptSegmentException("is cut");
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        if ((int) crc.getValue() != expected) {
            throw new CorruptSegmentException("is damaged");
        }
    }

    /**
     * The bytes of a section, as a little-endian buffer of its own.
     *
     * @throws CorruptSegmentException if there is no such section, or it is damaged
     */
    public ByteBuffer section(int id) throws CorruptSegmentException {
        Section section = sections.get(part < 0 ? id : SectionIds.inPart(id, part));
        if (section == null) {
            throw new CorruptSegmentException("lacks section " + id);
        }
        if (!section.checked) {
            check(section.from, section.length, section.crc);
            section.checked = true;
        }
        return bytes.slice(section.from, section.length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Reads a text that {@link SectionWriter#writeText} wrote. */
    public static String text(ByteBuffer in) {
        byte[] key = new byte[Objects.checkIndex(in.getInt(), in.remaining() + 1)];
        in.get(key);
        return KeyCodec.text(key);
    }

    /**
     * Checks all sections.
     *
     * @throws CorruptSegmentException if one is damaged
     */
    public void check() throws CorruptSegmentException {
        for (int id : sections.keySet()) {
            section(id);
        }
    }
}
