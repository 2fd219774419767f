package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A store as the seed's files: one file a kind, with all its lines, own ones, archived ones and those of others. What stands
 * in such files already stays, for it may be of machines that this store knows nothing of; but what this store put there
 * and has no more, goes. The files depend on the lines alone, not on who makes them: equal sets are equal bytes.
 */
public final class MergedExport {
    private static final List<String> STREAMS = List.of("failures", "successes", "memories", "notes");
    private static final String NOBODY = "0".repeat(32);

    private final LineCodec codec;
    private final Map<String, CanonicalLines> own = new TreeMap<>();
    private final Map<String, CanonicalLines> there = new TreeMap<>();
    private final Map<String, CanonicalLines> files = new TreeMap<>();

    /**
     * The view of a store.
     *
     * @param there the seed's files as they are, by their names
     * @param also further lines that are to stay, by the names of their files
     * @param before the contribution of the store to them: what {@link #contribution} gave when they were made last
     */
    public MergedExport(
            FileSystem disk,
            LineCodec codec,
            SyncPaths store,
            Map<String, byte[]> there,
            Map<String, byte[]> also,
            byte[] before)
            throws IOException {
        this.codec = codec;
        for (String stream : STREAMS) {
            own.put(stream, new CanonicalLines(codec, StreamImporter.kind(stream)));
            this.there.put(stream, new CanonicalLines(codec, StreamImporter.kind(stream)));
            files.put(stream, new CanonicalLines(codec, StreamImporter.kind(stream)));
            set(this.there, stream).addAll(Objects.requireNonNullElse(there.get(file(stream)), new byte[0]));
        }
        // A line moves from a log to its archive, so the log is read first.
        for (Map.Entry<String, Path> log : store.own(disk).entrySet()) {
            read(disk, log.getKey(), log.getValue());
        }
        for (Map.Entry<Stream, Path> log : store.peers(disk).entrySet()) {
            read(disk, log.getKey().name(), log.getValue());
        }
        Set<String> gone = new HashSet<>(List.of(new String(before, StandardCharsets.US_ASCII).split("\n")));
        own.values().forEach(lines -> gone.removeAll(lines.digests()));
        for (String stream : STREAMS) {
            set(files, stream).addAll(set(own, stream), Set.of());
            CanonicalLines kept = new CanonicalLines(codec, StreamImporter.kind(stream));
            kept.addAll(Objects.requireNonNullElse(also.get(file(stream)), new byte[0]));
            set(files, stream).addAll(set(this.there, stream), gone);
            set(files, stream).addAll(kept, gone);
        }
    }

    private static CanonicalLines set(Map<String, CanonicalLines> sets, String stream) {
        return Objects.requireNonNull(sets.get(stream), stream);
    }

    private void read(FileSystem disk, String stream, Path file) throws IOException {
        FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
        int hyphen = stream.indexOf('-');
        CanonicalLines lines = set(own, hyphen < 0 ? stream : stream.substring(0, hyphen));
        long at = 0;
        while (stat != null && at < stat.length()) {
            byte[] read = JsonLinesFile.lines(disk, file, at, stat.length(), 1 << 20);
            if (read.length == 0) {
                break;
            }
            lines.addAll(read);
            at += read.length;
        }
    }

    /** The name of a stream's file. */
    private static String file(String stream) {
        return stream + SyncPaths.ending(stream);
    }

    /** The files, by their names; empty ones are left out unless they are the seed's two, or were there. */
    public Map<String, byte[]> files(Set<String> thereAlready) {
        Map<String, byte[]> all = new TreeMap<>();
        for (String stream : STREAMS) {
            byte[] bytes = set(files, stream).bytes();
            boolean always = stream.equals("failures") || stream.equals("successes");
            if (always || bytes.length > 0 || thereAlready.contains(file(stream))) {
                all.put(file(stream), bytes);
            }
        }
        return all;
    }

    /** What is this store's in the files, for the next time: a digest of each line. */
    public byte[] contribution() {
        Set<String> digests = new TreeSet<>();
        own.values().forEach(lines -> digests.addAll(lines.digests()));
        return (String.join("\n", digests) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** What a commit says that brings the files from what they were to what they are. */
    public String summary() {
        List<Chunk> added = new ArrayList<>();
        List<Chunk> shrunk = new ArrayList<>();
        for (String stream : STREAMS) {
            byte[] lines = set(files, stream).without(set(there, stream));
            boolean less = set(there, stream).without(set(files, stream)).length > 0;
            Chunk chunk = Chunk.of(new Stream(NOBODY, stream), 1, 0, lines);
            if (lines.length > 0) {
                added.add(chunk);
            } else if (less) {
                shrunk.add(chunk);
            }
        }
        return added.isEmpty() && shrunk.isEmpty()
                ? "X-MEM: Rewrite index"
                : CommitMessage.of(codec, added.isEmpty() ? shrunk : added);
    }
}
