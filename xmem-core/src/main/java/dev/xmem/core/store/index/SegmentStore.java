package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SectionWriter;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.segment.TextIndexWriter;
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
public record SegmentStore(
        FileSystem disk, Path root, Path folder, int stretchLines, boolean writes, AlternateHash rehash) {
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
    public SegmentStore {
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
     * @param rollingDigest the chain of numbers made from the bytes of its lines
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
            long rollingDigest) {
        void write(SectionWriter out) {
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
            out.writeLong(rollingDigest);
        }

        static Header read(SectionFile segment) throws CorruptSegmentException {
            ByteBuffer in = segment.stream(HEADER);
            return new Header(
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

    /** The same, of which none is written. */
    SegmentStore unwritten() {
        return new SegmentStore(disk, root, folder, stretchLines, false, rehash);
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
    List<Segment> restore(LogFile log) throws IOException {
        FileSystem.Stat stat = disk.exists(log.path()) ? disk.stat(log.path()) : null;
        List<Segment> stretches = new ArrayList<>();
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
            Segment longest = null;
            for (String name : names) {
                if (name.startsWith(begin) && name.endsWith(FACTS)) {
                    Segment next =
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

    private @Nullable Segment restore(
            LogFile log, String name, int number, long from, FileSystem.Stat stat, Set<String> names)
            throws IOException {
        try {
            SectionFile segment = open(name + FACTS);
            Header header = Header.read(segment);
            SegmentReader lines = new SegmentReader(segment);
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
            return new Segment(header, name, lines, SegmentStatistics.read(segment), names.contains(name + TEXT));
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            discard(name + FACTS);
            return null;
        } catch (IOException e) {
            // gone since, or nothing that can be read: the log is read instead
            return null;
        }
    }

    private SectionFile open(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!disk.isPlain(file)) {
            throw new IOException(file + " is no plain file");
        }
        return SectionFile.of(disk.map(file));
    }

    /** A file that is the same one and ends the same is taken for unchanged; another one is read. */
    private boolean covers(Header header, LogFile log, FileSystem.Stat stat) throws IOException {
        long end = Math.max(header.from, header.to - COMPARED_BYTES);
        return crc(log, end, header.to) == header.endCrc
                && (header.key.equals(stat.key().toString()) || crc(log, header.from, header.to) == header.crc);
    }

    /** Whether a log still has the bytes that a stretch was made of. */
    boolean covers(LogFile log, Segment stretch) throws IOException {
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
    void seal(LogFile log, Segment stretch) throws IOException {
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
        SectionWriter out = new SectionWriter();
        header.write(out);
        SegmentReader.write(stretch.lines(), out);
        stretch.totals().write(out);
        disk.createFolders(folder);
        disk.replace(folder.resolve(name + FACTS), out.finish());
        stretch.sealed(new SegmentReader(SectionFile.of(disk.map(folder.resolve(name + FACTS)))), name);
        String same = name(prefix(log), stretch.number());
        sweep(other -> !other.startsWith(same) || other.startsWith(name));
    }

    private void adopt(LogFile log, Segment stretch, String name) throws IOException {
        FileSystem.Stat stat = disk.stat(log.path());
        if (stat == null || !disk.exists(folder.resolve(name + FACTS))) {
            return;
        }
        Set<String> texts = disk.exists(folder.resolve(name + TEXT)) ? Set.of(name + TEXT) : Set.of();
        Segment written = restore(log, name, stretch.number(), stretch.from(), stat, texts);
        if (written != null
                && written.to() == stretch.to()
                && written.rollingDigest() == stretch.rollingDigest()
                && written.lines().count() == stretch.lines().count()) {
            stretch.sealed(written.lines(), name);
            if (written.hasText()) {
                stretch.withTextFile();
            }
        }
    }

    private Header header(LogFile log, Segment stretch, String key) throws IOException {
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
                stretch.rollingDigest());
    }

    /** The texts of a stretch as its file tells them; null if there is none, or none of use. */
    @Nullable SegmentText text(Segment stretch) throws IOException {
        String name = stretch.name();
        if (name == null || !stretch.hasText()) {
            return null;
        }
        try {
            SectionFile segment = open(name + TEXT);
            Header header = Header.read(segment);
            boolean fits = header.analysis == ANALYSIS
                    && header.from == stretch.from()
                    && header.to == stretch.to()
                    && name.endsWith(hex(header.crc));
            if (fits) {
                return new SegmentText(segment, stretch.lines().count());
            }
            stretch.withoutTextFile();
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            stretch.withoutTextFile();
            discard(name + TEXT);
        } catch (IOException e) {
            stretch.withoutTextFile();
        }
        return null;
    }

    /** Makes the texts of a stretch of what was found in its lines, and writes them. */
    SegmentText text(LogFile log, Segment stretch, TextIndexWriter words, NgramFilter.Builder grams)
            throws IOException {
        SectionWriter out = new SectionWriter();
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
                return new SegmentText(
                        SectionFile.of(disk.map(file)), stretch.lines().count());
            } catch (IOException e) {
                // they stay in memory
            }
        }
        return new SegmentText(
                SectionFile.of(ByteBuffer.wrap(bytes)), stretch.lines().count());
    }

    /** Removes the segments of a log that are not of these stretches. */
    void sweep(LogFile log, List<Segment> stretches) throws IOException {
        Set<String> names = new HashSet<>();
        stretches.forEach(stretch -> names.add(String.valueOf(stretch.name())));
        String prefix = prefix(log);
        sweep(name -> !name.startsWith(prefix) || names.contains(name.substring(0, name.lastIndexOf('.'))));
    }

    /** Removes all of them: what they tell is not so. Returns what tells nothing where they may not be removed. */
    SegmentStore distrusted() throws IOException {
        sweep(name -> false);
        return writes ? this : new SegmentStore(disk, root, folder.resolve("none"), stretchLines, false, rehash);
    }

    /** How many bytes all of them take. */
    long bytes() throws IOException {
        long bytes = 0;
        for (Path file : disk.list(folder)) {
            FileSystem.Stat stat = disk.stat(file);
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
