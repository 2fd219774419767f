package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;

/**
 * What a segment was made of: the fields of section {@link SectionIds#HEADER} in the order of its bytes.
 *
 * @param log the log's path, below the store's root if it is there
 * @param analysis the version of the code that finds fields and words in a line
 * @param lineBytes the longest line that was read
 * @param number the segment's place among those of its log
 * @param from the offset in the log at which it begins
 * @param to the offset at which it ends
 * @param crc the CRC-32C of the bytes between
 * @param endCrc the CRC-32C of the last of them
 * @param key the identity of the file
 * @param rollingDigest the rolling digest of its lines
 */
public record SegmentHeader(
        String log,
        int analysis,
        int lineBytes,
        int number,
        long from,
        long to,
        int crc,
        int endCrc,
        String key,
        long rollingDigest) {
    /** Writes it as a section. */
    public void write(SectionWriter out) {
        out.section(SectionIds.HEADER);
        out.writeText(log);
        out.writeInt(analysis);
        out.writeInt(lineBytes);
        out.writeInt(number);
        out.writeLong(from);
        out.writeLong(to);
        out.writeInt(crc);
        out.writeInt(endCrc);
        out.writeText(key);
        out.writeLong(rollingDigest);
    }

    /** Reads what {@link #write} wrote. */
    public static SegmentHeader read(SectionFile segment) throws CorruptSegmentException {
        ByteBuffer in = segment.section(SectionIds.HEADER);
        return new SegmentHeader(
                SectionFile.text(in),
                in.getInt(),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                in.getLong(),
                in.getInt(),
                in.getInt(),
                SectionFile.text(in),
                in.getLong());
    }
}
