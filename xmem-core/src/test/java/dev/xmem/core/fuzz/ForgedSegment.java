package dev.xmem.core.fuzz;

import dev.xmem.core.store.segment.SectionWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A segment with changed sections and correct checksums. The input lists the changes, eight bytes each: the section,
 * the position in it, the operation, and four bytes as its operand. A section number behind the last means the
 * directory.
 */
final class ForgedSegment {
    /** How many bytes one change takes in the input. */
    static final int CHANGE_BYTES = 8;

    private static final int TRAILER_BYTES = 24;
    private static final int ENTRY_BYTES = 16;

    private final Map<Integer, byte[]> sections = new TreeMap<>();
    private final Map<Integer, byte[]> inDirectory = new TreeMap<>();

    /** One that says what a true one says, as yet. */
    ForgedSegment(byte[] segment) {
        ByteBuffer in = view(segment);
        int start = in.getInt(segment.length - TRAILER_BYTES);
        int length = in.getInt(segment.length - TRAILER_BYTES + 4);
        for (int at = start; at < start + length; at += ENTRY_BYTES) {
            int from = in.getInt(at + 4);
            sections.put(in.getInt(at), Arrays.copyOfRange(segment, from, from + in.getInt(at + 8)));
        }
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes the change that stands here in the input. */
    void change(byte[] input, int at) {
        int which = (input[at] & 0xFF) % (sections.size() + 1);
        if (which == sections.size()) {
            inDirectory.put(inDirectory.size(), Arrays.copyOfRange(input, at, at + CHANGE_BYTES));
            return;
        }
        int id = (int) sections.keySet().toArray()[which];
        sections.put(id, changed(sections.get(id), input, at + 1));
    }

    private static byte[] changed(byte[] section, byte[] input, int at) {
        ByteBuffer in = view(input);
        int number = in.getInt(at + 3);
        int place = section.length == 0 ? 0 : (in.getShort(at) & 0xFFFF) % section.length;
        byte[] other = section.clone();
        switch (input[at + 2] & 7) {
            case 0:
                return Arrays.copyOf(section, place);
            case 1:
                return Arrays.copyOf(section, section.length + (number & 0xFFF));
            case 2:
            case 3:
                if (section.length > 0) {
                    other[place] = (byte) number;
                }
                return other;
            case 4:
            case 5:
                if (section.length > 3) {
                    view(other).putInt(aligned(place, section.length), number);
                }
                return other;
            case 6:
                if (section.length > 3) {
                    int there = aligned(place, section.length);
                    view(other).putInt(there, view(other).getInt(there) + (byte) number);
                }
                return other;
            default:
                if (section.length > 0) {
                    other[place] ^= (byte) (1 << (number & 7));
                }
                return other;
        }
    }

    /** Most numbers of a section stand at multiples of four. */
    private static int aligned(int place, int length) {
        return Math.min(place & ~3, length - 4);
    }

    /** Its bytes, all sums right. */
    byte[] bytes() {
        SectionWriter out = new SectionWriter();
        sections.forEach((id, section) -> {
            out.section(id);
            out.writeBytes(section, 0, section.length);
        });
        byte[] segment = out.finish();
        inDirectory.values().forEach(change -> changeDirectory(segment, change));
        return segment;
    }

    private static void changeDirectory(byte[] segment, byte[] change) {
        ByteBuffer in = view(segment);
        int trailer = segment.length - TRAILER_BYTES;
        int start = in.getInt(trailer);
        int place = (view(change).getShort(1) & 0xFFFF) % (trailer - start) & ~3;
        in.putInt(start + place, view(change).getInt(4));
        // a section that is elsewhere now has another checksum
        for (int at = start; at + ENTRY_BYTES <= trailer; at += ENTRY_BYTES) {
            int from = in.getInt(at + 4);
            int length = in.getInt(at + 8);
            if (from >= 0 && length >= 0 && (long) from + length <= segment.length) {
                in.putInt(at + 12, crc(segment, from, length));
            }
        }
        in.putInt(trailer + 8, crc(segment, start, trailer - start));
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
