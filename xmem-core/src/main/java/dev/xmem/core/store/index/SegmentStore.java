package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.NgramFilter;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SectionWriter;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentMerger;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentStatistics;
import dev.xmem.core.store.segment.SegmentText;
import dev.xmem.core.store.segment.SegmentTextIndex;
import dev.xmem.core.store.terms.ForwardIndex;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The segment files of all logs of a store, in one folder: {@code .facts} and {@code .text} for each sealed segment,
 * and one {@code .merged} in place of those of several. A name is made of the log, the number of the segment and a
 * checksum of the bytes of the log that it covers. So segments of different files never share a name, and processes
 * that seal the same lines write the same file. A file is written as a whole and renamed into place. Thread-safe.
 * Decision: docs/adr/0006-segments-are-derived.md.
 *
 * @param files the file system
 * @param root the folder that the paths of logs are relative to
 * @param folder the folder of the segments
 * @param segmentLines how many lines a full segment has: a power of two
 * @param writes whether segments are written
 * @param alternateHash which hashes are indexed besides those in the lines; segments with different ones never mix
 */
public record SegmentStore(
        FileSystem files, Path root, Path folder, int segmentLines, boolean writes, AlternateHash alternateHash) {
    /** How many lines a full segment has by default. */
    public static final int SEGMENT_LINES = 1 << 15;

    /** To be raised with every change of what fields, words or trigrams are found in a line: searches rely on them. */
    private static final int ANALYSIS = 1;

    private static final int COMPARED_BYTES = 4096;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int CRC_CHARS = 8;
    private static final int NUMBER_CHARS = 5;
    private static final String FACTS = ".facts";
    private static final String TEXT = ".text";
    private static final String MERGED = ".merged";
    private static final String TEMPORARY = MERGED + ".tmp-";
    /** A temporary file that was not written to for so long is left over from a crash. */
    private static final long ABANDONED_MILLIS = Duration.ofHours(1).toMillis();

    private static final int TRIES = 3;

    public SegmentStore {
        if (Integer.bitCount(segmentLines) != 1) {
            throw new IllegalArgumentException("a segment has a power of two of lines, not " + segmentLines);
        }
    }

    /** The same store, but it writes and removes no segments. */
    SegmentStore unwritten() {
        return new SegmentStore(files, root, folder, segmentLines, false, alternateHash);
    }

    /** The store for the segments of logs of another replica. */
    SegmentStore forImports() {
        return new SegmentStore(files, root, folder, segmentLines, writes, alternateHash.forImports());
    }

    private String pathOf(LogFile log) {
        return log.path().startsWith(root)
                ? root.relativize(log.path()).toString()
                : log.path().toString();
    }

    /** The beginning of the names of all segments of a log. */
    private String prefix(LogFile log) {
        CRC32C crc = new CRC32C();
        String hashed = alternateHash.id().isEmpty() ? "" : "\n" + alternateHash.id();
        crc.update((pathOf(log) + hashed).getBytes(StandardCharsets.UTF_8));
        return log.path().getFileName() + "-" + hex((int) crc.getValue()) + "-";
    }

    private static String hex(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }

    private static String name(String prefix, int number) {
        String digits = Integer.toString(number);
        return prefix + "0".repeat(Math.max(0, NUMBER_CHARS - digits.length())) + digits + "-";
    }

    /**
     * Opens the segments of a log that were made of the bytes it has, from its beginning up to the first that is
     * missing. The last may have fewer lines.
     */
    List<Segment> restore(LogFile log) throws IOException {
        for (int i = 1; i < TRIES; i++) {
            try {
                return restoreListed(log);
            } catch (NoSuchFileException e) {
                // another process merged segments after the files were listed
            }
        }
        return restoreListed(log);
    }

    private List<Segment> restoreListed(LogFile log) throws IOException {
        FileSystem.Stat stat = log.status();
        List<Segment> segments = new ArrayList<>();
        if (stat == null) {
            return segments;
        }
        String prefix = prefix(log);
        Set<String> names = new HashSet<>();
        for (Path file : files.list(folder)) {
            String name = file.getFileName().toString();
            if (name.startsWith(prefix)) {
                names.add(name);
            }
        }
        long end = 0;
        for (int number = 0; ; ) {
            String begin = name(prefix, number);
            Segment longest = null;
            for (String name : names) {
                boolean facts = name.endsWith(FACTS);
                if (name.startsWith(begin) && (facts || name.endsWith(MERGED))) {
                    String base = name.substring(0, name.lastIndexOf('.'));
                    Segment next = facts
                            ? restore(log, base, number, end, stat, names.contains(base + TEXT))
                            : restoreMerged(log, base, number, end, stat);
                    longest = longest == null || next != null && next.to() > longest.to() ? next : longest;
                }
            }
            if (longest == null) {
                return segments;
            }
            segments.add(longest);
            if (longest.lines().count() < segmentLines) {
                return segments;
            }
            end = longest.to();
            number += longest.lines().count() / segmentLines;
        }
    }

    private @Nullable Segment restore(
            LogFile log, String name, int number, long from, FileSystem.Stat stat, boolean hasTextFile)
            throws IOException {
        Segment restored = restoreFile(log, name, FACTS, number, from, stat, hasTextFile);
        if (restored != null && hasTextFile) {
            // From now on: the file may be removed when the segment is merged.
            SegmentText text = text(restored);
            if (text != null) {
                restored.text(text);
            } else if (!files.exists(folder.resolve(name + TEXT))) {
                throw new NoSuchFileException(name + TEXT);
            }
        }
        return restored;
    }

    private @Nullable Segment restoreMerged(LogFile log, String name, int number, long from, FileSystem.Stat stat)
            throws IOException {
        return restoreFile(log, name, MERGED, number, from, stat, false);
    }

    /**
     * Opens a segment; null if it is of other lines, if the file is damaged, which is removed then, or cannot be read.
     */
    private @Nullable Segment restoreFile(
            LogFile log, String name, String ending, int number, long from, FileSystem.Stat stat, boolean hasTextFile)
            throws IOException {
        try {
            SectionFile sections = open(name + ending);
            if (ending.equals(FACTS)) {
                SegmentReader lines = new SegmentReader(sections);
                SegmentHeader header = SegmentHeader.read(sections);
                return lines.count() <= segmentLines && fits(header, log, number, from, stat)
                        ? new Segment(header, name, lines, SegmentStatistics.read(sections), hasTextFile)
                        : null;
            }
            MergedSegmentReader lines = new MergedSegmentReader(sections);
            SegmentHeader header = SegmentHeader.read(sections);
            SegmentText text = new SegmentText(sections, lines.count());
            return lines.count() == lines.parts() * segmentLines && fits(header, log, number, from, stat)
                    ? new Segment(header, name, lines, SegmentStatistics.read(sections), text)
                    : null;
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            discard(name + ending);
            return null;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            return null; // the log is read instead
        }
    }

    private boolean fits(SegmentHeader header, LogFile log, int number, long from, FileSystem.Stat stat)
            throws IOException {
        return header.log().equals(pathOf(log))
                && header.analysis() == ANALYSIS
                && header.lineBytes() == log.lineBytes()
                && header.number() == number
                && header.from() == from
                && header.to() >= from
                && header.to() <= stat.length()
                && covers(header, log, stat);
    }

    private SectionFile open(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!files.isPlain(file)) {
            if (!files.exists(file)) {
                throw new NoSuchFileException(name);
            }
            throw new IOException(file + " is no plain file");
        }
        return SectionFile.of(files.map(file));
    }

    /** A log that is the same file and ends the same is taken for unchanged; any other one is read. */
    private boolean covers(SegmentHeader header, LogFile log, FileSystem.Stat stat) throws IOException {
        return endCrc(log, header.from(), header.to()) == header.endCrc()
                && (header.key().equals(stat.key().toString()) || crc(log, header.from(), header.to()) == header.crc());
    }

    /** Whether a log still has the bytes that a segment was made of, as far as it was read before it was stopped. */
    boolean covers(LogFile log, Segment segment, BooleanSupplier stopped) throws IOException {
        String name = segment.name();
        if (name == null) {
            return true;
        }
        int crc = crc(log, segment.from(), segment.to(), stopped);
        return stopped.getAsBoolean() || name.endsWith(hex(crc));
    }

    static int endCrc(LogFile log, long from, long to) throws IOException {
        return crc(log, Math.max(from, to - COMPARED_BYTES), to);
    }

    private static int crc(LogFile log, long from, long to) throws IOException {
        return crc(log, from, to, null);
    }

    private static int crc(LogFile log, long from, long to, @Nullable BooleanSupplier stopped) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, to - from)];
        for (long at = from; at < to && (stopped == null || !stopped.getAsBoolean()); ) {
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
            files.delete(folder.resolve(name));
        }
    }

    /**
     * Writes the facts of a segment, which reads them from the file from now on. A store that does not write uses the
     * file that another process wrote of the same lines, if there is one.
     */
    void seal(LogFile log, Segment segment) throws IOException {
        Object key = log.key();
        if (segment.name() != null || key == null) {
            return;
        }
        SegmentHeader header = header(log, segment);
        String ofNumber = name(prefix(log), segment.number());
        String name = ofNumber + hex(header.crc());
        if (!writes) {
            adopt(log, segment, name);
            return;
        }
        Path file = folder.resolve(name + FACTS);
        files.createFolders(folder);
        log.save();
        Consumer<SectionWriter> content = out -> {
            header.write(out);
            SegmentReader.write(segment.lines(), out);
            segment.statistics().write(out);
        };
        files.replace(file, to -> SectionWriter.write(content, to));
        try {
            segment.sealed(new SegmentReader(SectionFile.of(files.map(file))), name);
        } catch (NoSuchFileException e) {
            return; // another process has merged the lines and removed the file: they stay in memory
        }
        sweep(other -> !other.startsWith(ofNumber) || other.startsWith(name) || other.endsWith(MERGED));
    }

    /**
     * Writes carried facts of a file that will be renamed to the log, and opens them; they stay in memory where they
     * cannot be written. The files of the segments that the log has until then stay.
     */
    Segment carried(SegmentReader.Carried facts, int segment, LogFile log, SegmentHeader header) throws IOException {
        Consumer<SectionWriter> content = out -> {
            header.write(out);
            facts.write(segment, out);
        };
        String name = name(prefix(log), header.number()) + hex(header.crc());
        Path file = folder.resolve(name + FACTS);
        try {
            if (writes) {
                files.createFolders(folder);
                files.replace(file, to -> SectionWriter.write(content, to));
                SegmentReader lines = new SegmentReader(SectionFile.of(files.map(file)));
                boolean hasTextFile = files.exists(folder.resolve(name + TEXT)); // of the same bytes
                return new Segment(header, name, lines, facts.statistics(segment), hasTextFile);
            }
        } catch (IOException e) {
            // derived data: it can stay in memory
        }
        SegmentReader lines = new SegmentReader(SectionFile.of(ByteBuffer.wrap(SectionWriter.bytes(content))));
        return new Segment(header, null, lines, facts.statistics(segment), false);
    }

    /** Opens the facts file of a segment, or the only file of a merged one. */
    SectionFile facts(Segment segment) throws IOException {
        return open(segment.name() + (segment.isMerged() ? MERGED : FACTS));
    }

    /** Opens the text file of a segment. */
    SectionFile textFile(Segment segment) throws IOException {
        return open(segment.name() + TEXT);
    }

    /**
     * Writes a merged segment, unless another process wrote it, and opens it; null if the log is not the same any more.
     *
     * @param first the first of the segments that are merged
     * @param to where the last one ends
     * @param crc the checksum of what they cover
     */
    @Nullable Segment merged(LogFile log, Segment first, long to, int crc, long rollingDigest, SegmentMerger merger)
            throws IOException {
        String name = name(prefix(log), first.number()) + hex(crc);
        Path file = folder.resolve(name + MERGED);
        if (!files.exists(file)) {
            SegmentHeader header = header(log, first.number(), first.from(), to, crc, rollingDigest);
            files.replace(file, out -> merger.write(header, out));
        }
        return adoptMerged(log, first, to, rollingDigest);
    }

    /** Opens what another process merged of segments of this log; null if there is no such file. */
    @Nullable Segment adoptMerged(LogFile log, Segment first, long to, long rollingDigest) {
        try {
            FileSystem.Stat stat = log.status();
            if (stat == null) {
                return null;
            }
            String begin = name(prefix(log), first.number());
            for (Path file : files.list(folder)) {
                String name = file.getFileName().toString();
                if (name.startsWith(begin) && name.endsWith(MERGED)) {
                    String base = name.substring(0, name.lastIndexOf('.'));
                    Segment merged = restoreMerged(log, base, first.number(), first.from(), stat);
                    if (merged != null && merged.to() == to && merged.rollingDigest() == rollingDigest) {
                        return merged;
                    }
                }
            }
        } catch (IOException e) {
            // derived data: its lines stay in memory
        }
        return null;
    }

    /** Removes the files of segments. */
    void remove(List<Segment> segments) throws IOException {
        Set<String> names = new HashSet<>();
        segments.forEach(segment -> names.add(String.valueOf(segment.name())));
        sweep(name -> !names.contains(name.substring(0, name.lastIndexOf('.'))));
    }

    private void adopt(LogFile log, Segment segment, String name) throws IOException {
        FileSystem.Stat stat = log.status();
        if (stat == null || !files.exists(folder.resolve(name + FACTS))) {
            return;
        }
        boolean hasTextFile = files.exists(folder.resolve(name + TEXT));
        Segment other;
        try {
            other = restore(log, name, segment.number(), segment.from(), stat, hasTextFile);
        } catch (NoSuchFileException e) {
            return; // another process merged it
        }
        if (other != null
                && other.to() == segment.to()
                && other.rollingDigest() == segment.rollingDigest()
                && other.lines().count() == segment.lines().count()) {
            segment.sealed(other.lines(), name);
            if (other.text() != null) {
                segment.text(other.text());
            }
        }
    }

    private SegmentHeader header(LogFile log, Segment segment) throws IOException {
        int crc = crc(log, segment.from(), segment.to());
        return header(log, segment.number(), segment.from(), segment.to(), crc, segment.rollingDigest());
    }

    SegmentHeader header(LogFile log, int number, long from, long to, int crc, long rollingDigest) throws IOException {
        int endCrc = endCrc(log, from, to);
        String key = String.valueOf(log.key());
        return new SegmentHeader(
                pathOf(log), ANALYSIS, log.lineBytes(), number, from, to, crc, endCrc, key, rollingDigest);
    }

    /** Opens the text index of a segment; null if there is no usable file. */
    @Nullable SegmentText text(Segment segment) throws IOException {
        String name = segment.name();
        if (name == null || !segment.hasText() || segment.isMerged()) {
            return segment.text();
        }
        try {
            SectionFile sections = open(name + TEXT);
            SegmentHeader header = SegmentHeader.read(sections);
            if (header.analysis() == ANALYSIS
                    && header.from() == segment.from()
                    && header.to() == segment.to()
                    && name.endsWith(hex(header.crc()))) {
                return new SegmentText(sections, segment.lines().count());
            }
        } catch (CorruptSegmentException | IndexOutOfBoundsException | BufferUnderflowException e) {
            discard(name + TEXT);
        } catch (IOException e) {
            // removed since, or not readable: it is made again
        }
        segment.textFile(false);
        return null;
    }

    /** Writes the text index of a segment and opens it; it stays in memory where it cannot be written. */
    SegmentText text(LogFile log, Segment segment, ForwardIndex words, NgramFilter.Builder grams) throws IOException {
        int lines = segment.lines().count();
        String name = segment.name();
        SectionWriter out = new SectionWriter();
        if (name != null) {
            // the checksum of the facts, in place of reading the log once more: the check finds what changed since
            int crc = HexFormat.fromHexDigits(name, name.length() - CRC_CHARS, name.length());
            header(log, segment.number(), segment.from(), segment.to(), crc, segment.rollingDigest())
                    .write(out);
        }
        SegmentTextIndex.write(words, out);
        grams.write(out);
        byte[] bytes = out.finish();
        if (writes && name != null) {
            Path file = folder.resolve(name + TEXT);
            try {
                files.replace(file, bytes);
                return new SegmentText(SectionFile.of(files.map(file)), lines);
            } catch (IOException e) {
                // derived data: it can stay in memory
            }
        }
        return new SegmentText(SectionFile.of(ByteBuffer.wrap(bytes)), lines);
    }

    /** A number made of the names, identities, lengths and times of the files of segments. */
    long digest(List<Segment> segments) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Segment segment : segments) {
            for (String end : segment.isMerged() ? List.of(MERGED) : List.of(FACTS, TEXT)) {
                all.append(segment.name()).append(end).append(files.stat(folder.resolve(segment.name() + end)));
            }
        }
        byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
        return DigestTable.of(bytes, 0, bytes.length);
    }

    /**
     * Removes the segments of a log that are not among these, except what another process merged of them meanwhile, and
     * what is left of merges that ended with their process.
     */
    void sweep(LogFile log, List<Segment> segments) throws IOException {
        Map<String, Segment> known = new HashMap<>();
        String prefix = prefix(log);
        for (Segment segment : segments) {
            known.put(String.valueOf(segment.name()), segment);
            known.put(name(prefix, segment.number()), segment);
        }
        FileSystem.Stat stat = log.status();
        List<String> merged = new ArrayList<>();
        for (Path file : writes ? files.list(folder) : List.<Path>of()) {
            String name = file.getFileName().toString();
            if (!name.startsWith(prefix)) {
                continue;
            }
            if (isSegment(name) && !known.containsKey(name.substring(0, name.lastIndexOf('.')))) {
                if (name.endsWith(MERGED)) {
                    merged.add(name);
                } else {
                    files.delete(file);
                }
            }
            FileSystem.Stat left = name.contains(TEMPORARY) ? files.stat(file) : null;
            if (left != null && left.modifiedMillis() < System.currentTimeMillis() - ABANDONED_MILLIS) {
                files.delete(file);
            }
        }
        for (String name : merged) {
            Segment begin = known.get(name.substring(0, name.lastIndexOf('-') + 1));
            Segment other = begin == null || stat == null
                    ? null
                    : restoreMerged(log, name.substring(0, name.lastIndexOf('.')), begin.number(), begin.from(), stat);
            if (begin == null || other == null || other.to() <= begin.to()) {
                files.delete(folder.resolve(name));
            }
        }
    }

    /** Whether a log is gone. */
    interface GoneCheck {
        boolean isGone(Path log) throws IOException;
    }

    /** Removes the segments of logs that are gone, by whatever hasher; those of known logs are not looked at. */
    void sweepLost(List<LogFile> known, GoneCheck test) throws IOException {
        Set<String> prefixes = new HashSet<>();
        for (LogFile log : known) {
            prefixes.add(prefix(log));
            prefixes.add(forImports().prefix(log));
        }
        for (Path file : writes ? files.list(folder) : List.<Path>of()) {
            String name = file.getFileName().toString();
            if (isSegment(name) && prefixes.stream().noneMatch(name::startsWith) && test.isGone(logOf(name))) {
                files.delete(file);
            }
        }
    }

    /** The log that a segment is of; the folder of the store where its file is damaged. */
    private Path logOf(String name) throws IOException {
        try {
            return root.resolve(SegmentHeader.read(open(name)).log());
        } catch (CorruptSegmentException
                | IndexOutOfBoundsException
                | BufferUnderflowException
                | InvalidPathException
                | NoSuchFileException e) {
            return root;
        }
    }

    private static boolean isSegment(String name) {
        return name.endsWith(FACTS) || name.endsWith(TEXT) || name.endsWith(MERGED);
    }

    /** Removes all segments of a log. */
    void removeAll(LogFile log) throws IOException {
        String prefix = prefix(log);
        sweep(name -> !name.startsWith(prefix));
    }

    /** Removes all segments. Returns the store to use from now on: an empty one where they cannot be removed. */
    SegmentStore distrusted() throws IOException {
        sweep(name -> false);
        return writes
                ? this
                : new SegmentStore(files, root, folder.resolve("none"), segmentLines, false, alternateHash);
    }

    /** How many bytes all segments take. */
    long bytes() throws IOException {
        long bytes = 0;
        for (Path file : files.list(folder)) {
            FileSystem.Stat stat = files.stat(file);
            bytes += stat == null ? 0 : stat.length();
        }
        return bytes;
    }

    private void sweep(Predicate<String> kept) throws IOException {
        for (Path file : writes ? files.list(folder) : List.<Path>of()) {
            String name = file.getFileName().toString();
            if (isSegment(name) && !kept.test(name)) {
                files.delete(file);
            }
        }
    }
}
