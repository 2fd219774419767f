package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.CorruptSegmentException;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SegmentHeader;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

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

    private static final int NUMBER_CHARS = 5;
    static final String FACTS = ".facts";
    static final String TEXT = ".text";
    static final String MERGED = ".merged";
    private static final String TEMPORARY = MERGED + ".tmp-";
    /** A temporary file that was not written to for so long is left over from a crash. */
    private static final long ABANDONED_MILLIS = Duration.ofHours(1).toMillis();

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

    String pathOf(LogFile log) {
        return log.path().startsWith(root)
                ? root.relativize(log.path()).toString()
                : log.path().toString();
    }

    /** The beginning of the names of all segments of a log. */
    String prefix(LogFile log) {
        CRC32C crc = new CRC32C();
        String hashed = alternateHash.id().isEmpty() ? "" : "\n" + alternateHash.id();
        crc.update((pathOf(log) + hashed).getBytes(StandardCharsets.UTF_8));
        return log.path().getFileName() + "-" + hex((int) crc.getValue()) + "-";
    }

    static String hex(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }

    /** The beginning of the names of the segments of a log with this number. */
    String begin(LogFile log, int number) {
        String digits = Integer.toString(number);
        return prefix(log) + "0".repeat(Math.max(0, NUMBER_CHARS - digits.length())) + digits + "-";
    }

    /** The names of all files that begin so. */
    List<String> names(String begin) throws IOException {
        return files.list(folder).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.startsWith(begin))
                .toList();
    }

    boolean exists(String name) throws IOException {
        return files.exists(folder.resolve(name));
    }

    /** Writes a file as a whole, in the place of the one with this name, and opens it. */
    SectionFile write(String name, FileSystem.ContentWriter content) throws IOException {
        files.createFolders(folder);
        files.replace(folder.resolve(name), content);
        return open(name);
    }

    SectionFile open(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!files.isPlain(file)) {
            if (!files.exists(file)) {
                throw new NoSuchFileException(name);
            }
            throw new IOException(file + " is not a plain file");
        }
        return SectionFile.of(files.map(file));
    }

    void discard(String name) throws IOException {
        if (writes) {
            files.delete(folder.resolve(name));
        }
    }

    /** Opens the facts file of a segment, or the only file of a merged one. */
    SectionFile facts(Segment segment) throws IOException {
        return open(segment.name() + (segment.isMerged() ? MERGED : FACTS));
    }

    /** Opens the text file of a segment. */
    SectionFile textFile(Segment segment) throws IOException {
        return open(segment.name() + TEXT);
    }

    /** Removes the files of segments. */
    void remove(List<Segment> segments) throws IOException {
        Set<String> names = new HashSet<>();
        segments.forEach(segment -> names.add(String.valueOf(segment.name())));
        sweep(name -> !names.contains(name.substring(0, name.lastIndexOf('.'))));
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
        for (Segment segment : segments) {
            known.put(String.valueOf(segment.name()), segment);
            known.put(begin(log, segment.number()), segment);
        }
        FileSystem.Stat stat = log.status();
        SegmentOpener opener = new SegmentOpener(this, log);
        for (String name : writes ? names(prefix(log)) : List.<String>of()) {
            String base = name.substring(0, Math.max(0, name.lastIndexOf('.')));
            Path file = folder.resolve(name);
            FileSystem.Stat left = name.contains(TEMPORARY) ? files.stat(file) : null;
            if (left != null && left.modifiedMillis() < System.currentTimeMillis() - ABANDONED_MILLIS) {
                files.delete(file);
            } else if (isSegment(name) && !known.containsKey(base)) {
                Segment begin = name.endsWith(MERGED) ? known.get(base.substring(0, base.lastIndexOf('-') + 1)) : null;
                Segment other = begin == null || stat == null
                        ? null
                        : opener.restore(name, begin.number(), begin.from(), stat, false);
                if (begin == null || other == null || other.to() <= begin.to()) {
                    files.delete(file);
                }
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

    void sweep(Predicate<String> kept) throws IOException {
        for (Path file : writes ? files.list(folder) : List.<Path>of()) {
            String name = file.getFileName().toString();
            if (isSegment(name) && !kept.test(name)) {
                files.delete(file);
            }
        }
    }
}
