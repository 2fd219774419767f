package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.MergedFile.Chunk;
import dev.xmem.core.store.index.MergedFile.Member;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The order of the chunks of a {@link MergedFile} in a file, so that the next process can use the segments that were
 * made of it; chunks that do not fit the logs are not used.
 */
record ChunkOrder(FileSystem files, Path file) {
    private static final int MAX_BYTES = 1 << 26;
    /** A line may be ended by two bytes after it was read. */
    private static final int MOST_BETWEEN = 2;

    private static final String HEADER = "xmem-chunks-2 ";

    /** What an earlier process saved: the chunks, and how far each log had been read. */
    record Restored(List<Chunk> chunks, Map<Path, Member> members) {}

    /** What was saved of these logs; null if there is nothing, or it does not fit them. */
    @Nullable Restored read(List<LogDescriptor> logs) throws IOException {
        FileSystem.Stat stat = files.isPlain(file) ? files.stat(file) : null;
        if (stat == null || stat.length() > MAX_BYTES) {
            return null;
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (FileSystem.Input in = files.open(file)) {
            in.read(0, bytes, 0, bytes.length);
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        int begin = text.indexOf('\n') + 1;
        String body = text.substring(begin);
        return text.substring(0, begin).equals(HEADER + crc(body) + '\n') ? restored(logs, body) : null;
    }

    /** The saved chunks, if they are the logs, each from its beginning to the end that was known; else null. */
    private @Nullable Restored restored(List<LogDescriptor> logs, String body) throws IOException {
        Map<String, LogDescriptor> known = new HashMap<>();
        for (LogDescriptor log : logs) {
            known.put(name(log), log);
        }
        List<Chunk> chunks = new ArrayList<>();
        Map<Path, Member> members = new LinkedHashMap<>();
        Map<Path, Long> ends = new HashMap<>();
        for (String line : body.split("\n")) {
            String[] parts = line.split(" ", 8);
            LogDescriptor log = known.get(parts[7]);
            Member member = log == null ? null : members.get(log.file());
            if (log != null && member == null) {
                member = restored(log, parts, Long.parseLong(parts[4]));
            }
            if (log == null || member == null) {
                return null;
            }
            long from = Long.parseLong(parts[0]);
            long to = Long.parseLong(parts[1]);
            long before = ends.getOrDefault(log.file(), 0L);
            if (from < before || from > before + (before > 0 ? MOST_BETWEEN : 0) || to < from || to > member.end()) {
                return null;
            }
            ends.put(log.file(), to);
            boolean unended = parts[2].equals("1");
            members.put(log.file(), member.unended(unended));
            MergedFile.add(chunks, log, member.key(), from, to, unended);
        }
        for (Member member : members.values()) {
            if (member.end() - ends.getOrDefault(member.log().file(), 0L) > MOST_BETWEEN) {
                return null;
            }
        }
        return new Restored(List.copyOf(chunks), members);
    }

    private @Nullable Member restored(LogDescriptor log, String[] parts, long end) throws IOException {
        FileSystem.Stat stat = files.stat(log.file());
        int endCrc = Integer.parseInt(parts[5]);
        if (stat == null
                || stat.length() < end
                || !stat.key().toString().replace(' ', '_').equals(parts[6])) {
            return null;
        }
        if (stat.length() > end || stat.modifiedMillis() != Long.parseLong(parts[3])) {
            try (FileSystem.Input in = files.open(log.file())) {
                if (MergedFile.crc(in, end) != endCrc) {
                    return null;
                }
            }
        }
        return new Member(log, stat.key(), stat.modifiedMillis(), end, end, endCrc, false);
    }

    /** Keeps the order of the chunks for the next process. */
    void write(List<Chunk> chunks, Map<Path, Member> members) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Chunk chunk : chunks) {
            Member member = Objects.requireNonNull(members.get(chunk.log().file()));
            text.append(chunk.from()).append(' ').append(chunk.to()).append(' ').append(chunk.unended() ? 1 : 0);
            text.append(' ')
                    .append(member.modified())
                    .append(' ')
                    .append(member.end())
                    .append(' ')
                    .append(member.endCrc());
            text.append(' ').append(member.key().toString().replace(' ', '_')).append(' ');
            text.append(name(chunk.log())).append('\n');
        }
        Path parent = file.getParent();
        if (parent != null) {
            files.createFolders(parent);
        }
        String body = text.toString();
        files.replace(file, (HEADER + crc(body) + '\n' + body).getBytes(StandardCharsets.UTF_8));
    }

    /** The name of a log in the order, which also says how logs are listed. */
    static String name(LogDescriptor log) {
        return log.origin().replica() + '/' + log.file().getFileName();
    }

    private static String crc(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }
}
