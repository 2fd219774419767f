package dev.xmem.core.index;

import dev.xmem.core.file.Disk;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.segment.BadSegment;
import dev.xmem.core.segment.Grams;
import dev.xmem.core.segment.SealedLines;
import dev.xmem.core.segment.Segment;
import dev.xmem.core.segment.SegmentWriter;
import dev.xmem.core.words.WordsOfLines;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The segments of all logs of a store: files in one folder, two for each sealed stretch, {@code .facts} and {@code .text}.
 * They are called by their log, the stretch's number and a checksum of the bytes it covers, so that those of different
 * files never meet, and processes that make the same ones make the same bytes. Each is put in place as a whole.
 * Thread-safe.
 *
 * @param disk the files
 * @param root what the paths of logs are relative to
 * @param folder where the segments are
 * @param stretchLines how many lines a stretch has: a power of two
 * @param writes whether new ones are written
 * @param rehash what hashes of lines are known beside their own; segments of different ones do not meet
 */
public record Segments(Disk disk, Path root, Path folder, int stretchLines, boolean writes, Rehash rehash) {
    /** How many lines a stretch has by default. */
    public static final int STRETCH_LINES = 1 << 15;

    private static final int HEADER = 0;
    /** To be raised with every change of what facts, words or trigrams are found in a line: searches rely on them. */
    private static final int ANALYSIS = 1;

    private static final int COMPARED_BYTES = 4096;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int HASH_CHARS = 8;
    private static final int NUMBER_CHARS = 5;
    private static final String FACTS = ".facts";
    private static final String TEXT = ".text";

    /** Segments of this size. */
    public Segments {
        if (Integer.bitCount(stretchLines) != 1) {
            throw new IllegalArgumentException("a stretch has a power of two of lines, not " + stretchLines);
        }
    }

    /**
     * What a segment is of.
     *
     * @param log the log's path
     * @param analysis the version of what finds facts and words in a line
     * @param lineBytes the longest line that was read
     * @param number the stretch's place among those of its log
     * @param from where it begins in the log
     * @param to where it ends
     * @param crc the checksum of the bytes between
     * @param endCrc the checksum of the last of them
     * @param key which file it was
     * @param chain the chain of numbers made from the bytes of its lines
     */
    record Header(
            String log,
            int analysis,
            int lineBytes,
            int number,
            long from,
            long to,
            int crc,
            int endCrc,
            String key,
            long chain) {
        void write(SegmentWriter out) {
            out.section(HEADER);
            out.writeText(log);
            out.writeInt(analysis);
            out.writeInt(lineBytes);
            out.writeInt(number);
            out.writeLong(from);
            out.writeLong(to);
            out.writeInt(crc);
            out.writeInt(endCrc);
            out.writeText(key);
            out.writeLong(chain);
        }

        static Header read(Segment segment) throws BadSegment {
            ByteBuffer in = segment.stream(HEADER);
            return new Header(
                    Segment.text(in),
                    in.getInt(),
                    in.getInt(),
                    in.getInt(),
                    in.getLong(),
                    in.getLong(),
                    in.getInt(),
                    in.getInt(),
                    Segment.text(in),
                    in.getLong());
        }
    }

    /** The same, of which none is written. */
    Segments unwritten() {
        return new Segments(disk, root, folder, stretchLines, false, rehash);
    }

    private String pathOf(LogFile log) {
        return log.path().startsWith(root)
                ? root.relativize(log.path()).toString()
                : log.path().toString();
    }

    /** What the names of all segments of a log begin with. */
    private String prefix(LogFile log) {
        CRC32C crc = new CRC32C();
        String hashed = rehash.id().isEmpty() ? "" : "\n" + rehash.id();
        crc.update((pathOf(log) + hashed).getBytes(StandardCharsets.UTF_8));
        return log.path().getFileName() + "-" + hex(crc.getValue()) + "-";
    }

    private static String hex(long crc) {
        String digits = Long.toHexString(crc & 0xFFFF_FFFFL);
        return "0".repeat(HASH_CHARS - digits.length()) + digits;
    }

    private static String name(String prefix, int number) {
        String digits = Integer.toString(number);
        return prefix + "0".repeat(Math.max(0, NUMBER_CHARS - digits.length())) + digits + "-";
    }

    /**
     * The stretches of a log that were sealed before and still stand in it as they were, from its beginning on. The last may
     * have fewer lines.
     */
    List<Stretch> restore(LogFile log) throws IOException {
        Disk.Stat stat = disk.exists(log.path()) ? disk.stat(log.path()) : null;
        List<Stretch> stretches = new ArrayList<>();
        if (stat == null) {
            return stretches;
        }
        String prefix = prefix(log);
        List<String> names = new ArrayList<>();
        for (Path file : disk.list(folder)) {
            String name = file.getFileName().toString();
            if (name.startsWith(prefix)) {
                names.add(name);
            }
        }
        Set<String> all = new HashSet<>(names);
        long end = 0;
        for (int number = 0; ; number++) {
            String begin = name(prefix, number);
            Stretch longest = null;
            for (String name : names) {
                if (name.startsWith(begin) && name.endsWith(FACTS)) {
                    Stretch next =
                            restore(log, name.substring(0, name.length() - FACTS.length()), number, end, stat, all);
                    longest = longest == null || next != null && next.to() > longest.to() ? next : longest;
                }
            }
            if (longest == null) {
                return stretches;
            }
            stretches.add(longest);
            if (longest.lines().count() < stretchLines) {
                return stretches;
            }
            end = longest.to();
        }
    }

    private @Nullable Stretch restore(
            LogFile log, String name, int number, long from, Disk.Stat stat, Set<String> names) throws IOException {
        try {
            Segment segment = open(name + FACTS);
            Header header = Header.read(segment);
            SealedLines lines = new SealedLines(segment);
            boolean fits = header.log.equals(pathOf(log))
                    && header.analysis == ANALYSIS
                    && header.lineBytes == log.lineBytes()
                    && header.number == number
                    && header.from == from
                    && header.to >= from
                    && header.to <= stat.length()
                    && lines.count() <= stretchLines;
            if (!fits || !covers(header, log, stat)) {
                return null;
            }
            return new Stretch(header, name, lines, Totals.read(segment), names.contains(name + TEXT));
        } catch (BadSegment | IndexOutOfBoundsException | BufferUnderflowException e) {
            discard(name + FACTS);
            return null;
        } catch (IOException e) {
            // gone since, or nothing that can be read: the log is read instead
            return null;
        }
    }

    private Segment open(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!disk.isPlain(file)) {
            throw new IOException(file + " is no plain file");
        }
        return Segment.of(disk.map(file));
    }

    /** A file that is the same one and ends the same is taken for unchanged; another one is read. */
    private boolean covers(Header header, LogFile log, Disk.Stat stat) throws IOException {
        long end = Math.max(header.from, header.to - COMPARED_BYTES);
        return crc(log, end, header.to) == header.endCrc
                && (header.key.equals(stat.key().toString()) || crc(log, header.from, header.to) == header.crc);
    }

    /** Whether a log still has the bytes that a stretch was made of. */
    boolean covers(LogFile log, Stretch stretch) throws IOException {
        String name = stretch.name();
        return name == null || name.endsWith(hex(crc(log, stretch.from(), stretch.to())));
    }

    private int crc(LogFile log, long from, long to) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, to - from)];
        for (long at = from; at < to; ) {
            int length = log.readRaw(at, chunk, (int) Math.min(chunk.length, to - at));
            if (length <= 0) {
                return 0;
            }
            crc.update(chunk, 0, length);
            at += length;
        }
        return (int) crc.getValue();
    }

    private void discard(String name) throws IOException {
        if (writes) {
            disk.delete(folder.resolve(name));
        }
    }

    /**
     * Writes what is known of the lines of a stretch and reads it from there from now on. Where none is written, it is read from
     * what another process wrote of the same lines, if there is such a segment.
     */
    void seal(LogFile log, Stretch stretch) throws IOException {
        Object key = log.key();
        if (stretch.name() != null || key == null) {
            return;
        }
        Header header = header(log, stretch, key.toString());
        String name = name(prefix(log), stretch.number()) + hex(header.crc);
        if (!writes) {
            adopt(log, stretch, name);
            return;
        }
        SegmentWriter out = new SegmentWriter();
        header.write(out);
        SealedLines.write(stretch.lines(), out);
        stretch.totals().write(out);
        disk.createFolders(folder);
        disk.replace(folder.resolve(name + FACTS), out.finish());
        stretch.sealed(new SealedLines(Segment.of(disk.map(folder.resolve(name + FACTS)))), name);
        String same = name(prefix(log), stretch.number());
        sweep(other -> !other.startsWith(same) || other.startsWith(name));
    }

    private void adopt(LogFile log, Stretch stretch, String name) throws IOException {
        Disk.Stat stat = disk.stat(log.path());
        if (stat == null || !disk.exists(folder.resolve(name + FACTS))) {
            return;
        }
        Set<String> texts = disk.exists(folder.resolve(name + TEXT)) ? Set.of(name + TEXT) : Set.of();
        Stretch written = restore(log, name, stretch.number(), stretch.from(), stat, texts);
        if (written != null
                && written.to() == stretch.to()
                && written.chain() == stretch.chain()
                && written.lines().count() == stretch.lines().count()) {
            stretch.sealed(written.lines(), name);
            if (written.hasText()) {
                stretch.withTextFile();
            }
        }
    }

    private Header header(LogFile log, Stretch stretch, String key) throws IOException {
        long end = Math.max(stretch.from(), stretch.to() - COMPARED_BYTES);
        return new Header(
                pathOf(log),
                ANALYSIS,
                log.lineBytes(),
                stretch.number(),
                stretch.from(),
                stretch.to(),
                crc(log, stretch.from(), stretch.to()),
                crc(log, end, stretch.to()),
                key,
                stretch.chain());
    }

    /** The texts of a stretch as its file tells them; null if there is none, or none of use. */
    @Nullable Text text(Stretch stretch) throws IOException {
        String name = stretch.name();
        if (name == null || !stretch.hasText()) {
            return null;
        }
        try {
            Segment segment = open(name + TEXT);
            Header header = Header.read(segment);
            boolean fits = header.analysis == ANALYSIS
                    && header.from == stretch.from()
                    && header.to == stretch.to()
                    && name.endsWith(hex(header.crc));
            if (fits) {
                return new Text(segment, stretch.lines().count());
            }
            stretch.withoutTextFile();
        } catch (BadSegment | IndexOutOfBoundsException | BufferUnderflowException e) {
            stretch.withoutTextFile();
            discard(name + TEXT);
        } catch (IOException e) {
            stretch.withoutTextFile();
        }
        return null;
    }

    /** Makes the texts of a stretch of what was found in its lines, and writes them. */
    Text text(LogFile log, Stretch stretch, WordsOfLines words, Grams.Builder grams) throws IOException {
        SegmentWriter out = new SegmentWriter();
        Object key = log.key();
        header(log, stretch, String.valueOf(key)).write(out);
        words.write(out);
        grams.write(out);
        byte[] bytes = out.finish();
        String name = stretch.name();
        if (writes && name != null) {
            Path file = folder.resolve(name + TEXT);
            try {
                disk.replace(file, bytes);
                return new Text(Segment.of(disk.map(file)), stretch.lines().count());
            } catch (IOException e) {
                // they stay in memory
            }
        }
        return new Text(Segment.of(ByteBuffer.wrap(bytes)), stretch.lines().count());
    }

    /** Removes the segments of a log that are not of these stretches. */
    void sweep(LogFile log, List<Stretch> stretches) throws IOException {
        Set<String> names = new HashSet<>();
        stretches.forEach(stretch -> names.add(String.valueOf(stretch.name())));
        String prefix = prefix(log);
        sweep(name -> !name.startsWith(prefix) || names.contains(name.substring(0, name.lastIndexOf('.'))));
    }

    /** Removes all of them: what they tell is not so. Returns what tells nothing where they may not be removed. */
    Segments distrusted() throws IOException {
        sweep(name -> false);
        return writes ? this : new Segments(disk, root, folder.resolve("none"), stretchLines, false, rehash);
    }

    /** How many bytes all of them take. */
    long bytes() throws IOException {
        long bytes = 0;
        for (Path file : disk.list(folder)) {
            Disk.Stat stat = disk.stat(file);
            bytes += stat == null ? 0 : stat.length();
        }
        return bytes;
    }

    private void sweep(Predicate<String> kept) throws IOException {
        for (Path file : writes ? disk.list(folder) : List.<Path>of()) {
            String name = file.getFileName().toString();
            boolean ours = name.endsWith(FACTS) || name.endsWith(TEXT);
            if (ours && !kept.test(name)) {
                disk.delete(file);
            }
        }
    }
}
