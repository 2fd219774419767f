package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is in the files of a backup. Used once. */
final class BackupReader {
    private static final byte[] NEWLINE = {'\n'};

    private final FileSystem disk;
    private final LineCodec codec;
    private final int lineBytes;
    private final Map<Path, Set<Long>> digests = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private final List<Set<String>> families = new ArrayList<>();

    /** A reader of lines that are not longer than this. */
    public BackupReader(FileSystem disk, LineCodec codec, int lineBytes) {
        this.disk = disk;
        this.codec = codec;
        this.lineBytes = lineBytes;
    }

    /** Sees a line that is an entry. */
    private interface Lines {
        void line(IndexedFields facts, byte[] line) throws IOException;
    }

    void readAll(Path folder) throws IOException {
        for (Path file : disk.list(folder)) {
            if (!file.equals(folder.resolve("archive"))) {
                read(file);
            }
        }
        for (Path file : disk.list(folder.resolve("archive"))) {
            read(file);
        }
    }

    private void read(Path file) throws IOException {
        Set<Long> lines = new HashSet<>();
        digests.put(file, lines);
        lines(file, (facts, line) -> {
            lines.add(LogIndex.digestOf(line));
            Set<String> family = new HashSet<>(facts.covers());
            if (facts.id() != null) {
                family.add(facts.id());
            }
            ids.addAll(family);
            if (!facts.covers().isEmpty()) {
                families.add(family);
            }
        });
    }

    static Entry.Kind kind(Path file) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("failures")) {
            return Entry.Kind.FAILURE;
        }
        if (name.startsWith("successes")) {
            return Entry.Kind.SUCCESS;
        }
        return name.startsWith("notes") ? Entry.Kind.NOTE : Entry.Kind.DIRECTIVE;
    }

    private void lines(Path file, Lines lines) throws IOException {
        LogFile.readAll(disk, file, lineBytes, new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                try {
                    IndexedFields facts = codec.facts(kind(file), buffer, start, length);
                    lines.line(facts, Arrays.copyOfRange(buffer, start, start + length));
                    return true;
                } catch (MalformedLineException e) {
                    return false;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                // it is in the file, and comes back with it
            }
        });
    }

    /** The digests of the lines of a file. */
    Set<Long> digests(Path file) {
        return digests.getOrDefault(file, Set.of());
    }

    /** Whether any file has this line. */
    boolean has(long digest) {
        return digests.values().stream().anyMatch(lines -> lines.contains(digest));
    }

    /** The ids of all lines, and those that they cover. */
    Set<String> ids() {
        return ids;
    }

    /** Of each line that was made of others the ids that it stands for. */
    List<Set<String>> families() {
        return families;
    }

    /** Adds the lines of archives that are not there any more. */
    void bringArchivesBack(Path from, Path to, List<LogIndex> known) throws IOException {
        for (Path file : disk.list(from)) {
            Path target = to.resolve(String.valueOf(file.getFileName()));
            LogIndex there = known.stream()
                    .filter(log -> log.file().path().equals(target))
                    .findFirst()
                    .orElse(null);
            try (FileSystem.Output appender = disk.append(target)) {
                BufferedAppender out = new BufferedAppender(appender);
                out.write(NEWLINE);
                lines(file, (facts, line) -> {
                    if (there == null || there.withBytes(line) < 0) {
                        out.write(line);
                        out.write(NEWLINE);
                    }
                });
                out.flush();
                appender.force();
            }
        }
    }
}
