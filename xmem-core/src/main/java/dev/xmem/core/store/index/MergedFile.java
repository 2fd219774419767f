package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The logs of one kind that other replicas published, read as one file that only grows: what a log gained becomes the
 * next chunk. If a log shrinks, disappears or is replaced, because its owner compacted or erased, another file takes
 * the place of this one, which has the logs one after the other. Nothing is copied: a chunk is a range of a log.
 *
 * <p>The order of the chunks is derived, and kept as {@link ChunkOrder}. Two processes may have different orders, so
 * each names its file by a key of its own, and the bytes of a segment are compared when it is opened. Thread-safe.
 * Decision: docs/adr/0081-one-index-of-all-peers.md.
 */
final class MergedFile implements LogFile.Parts {
    private static final int COMPARED_BYTES = 512;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int MOST_OPEN = 64;

    private static final long MAX_PAUSE_NANOS = 1_000_000_000L;
    private static final int MOST_CHUNKS_A_LOG = 16;
    private static final int FEW_FILES = 16;
    private static final int SHARE = 50;

    private final FileSystem files;
    private final Supplier<List<LogDescriptor>> logs;
    private final ChunkOrder order;
    private final ReentrantLock looking = new ReentrantLock();
    private final Pace pace = new Pace();
    private volatile @Nullable View now;
    private volatile boolean outOfOrder;

    /**
     * Says when to read the state of the files again: always if they are few, else so seldom that reading it takes at
     * most a fiftieth of the time, but at least once a second. Thread-safe.
     */
    static final class Pace {
        private volatile long next = System.nanoTime();

        /** Whether to read the state of this number of files now. */
        boolean isDue(int files) {
            return files <= FEW_FILES || System.nanoTime() - next >= 0;
        }

        /** Notes that the state was read, and when that began. */
        void took(long beginNanos) {
            long now = System.nanoTime();
            next = now + Math.min(MAX_PAUSE_NANOS, SHARE * (now - beginNanos));
        }

        /** Makes it due. */
        void expire() {
            next = System.nanoTime();
        }
    }

    /**
     * A file of these logs.
     *
     * @param logs the logs in their order, as they were last listed
     * @param saved where the order of the chunks is kept
     */
    MergedFile(FileSystem files, Supplier<List<LogDescriptor>> logs, Path saved) {
        this.files = files;
        this.logs = logs;
        this.order = new ChunkOrder(files, saved);
    }

    /** A log, as far as it has been read: its end is the end of a line, and may be before the length it had then. */
    record Member(LogDescriptor log, Object key, long modified, long length, long end, int endCrc, boolean unended) {
        Member unended(boolean is) {
            return new Member(log, key, modified, length, end, endCrc, is);
        }
    }

    /** A range of a log; {@code start} is its place in the merged file. An unended one counts a newline after it. */
    record Chunk(LogDescriptor log, Object key, long start, long from, long to, boolean unended) {
        long end() {
            return start + to - from + (unended ? 1 : 0);
        }
    }

    /** The file as it is now; looks at the logs, unless it did so just before. Null if there are none. */
    @Override
    public FileSystem.@Nullable Stat stat() throws IOException {
        View view = now;
        if (view == null || outOfOrder || pace.isDue(view.members.size())) {
            looking.lock();
            try {
                long begin = System.nanoTime();
                View before = view;
                view = looked();
                now = view;
                if (before != null && before != view) {
                    before.close(); // what still reads it opens its logs again
                }
                pace.took(begin);
            } finally {
                looking.unlock();
            }
        }
        return view.members.isEmpty() ? null : new FileSystem.Stat(view.length(), view.key, view.modified());
    }

    /** The next {@link #stat} looks at the logs. */
    void expire() {
        pace.expire();
    }

    /** The bytes of the file as of the last {@link #stat}; the result grows with it. */
    @Override
    public View open() throws IOException {
        stat();
        View view = now;
        return view == null ? new View("") : view;
    }

    private View looked() throws IOException {
        View view = now;
        if (view == null) {
            view = restored();
        }
        List<LogDescriptor> wanted = logs.get();
        boolean tooMany = view.chunks.size() > MOST_CHUNKS_A_LOG * (wanted.size() + 1);
        if (outOfOrder || tooMany || !grown(view, wanted)) {
            outOfOrder = false;
            view = new View(UUID.randomUUID().toString());
            grown(view, wanted);
        }
        return view;
    }

    /** Adds what logs gained; false if one is not what it was. */
    private boolean grown(View view, List<LogDescriptor> wanted) throws IOException {
        int known = 0;
        Map<Path, Member> members = new LinkedHashMap<>(view.members);
        List<Chunk> chunks = new ArrayList<>(view.chunks);
        for (LogDescriptor log : wanted) {
            Member member = members.get(log.file());
            FileSystem.Stat stat = files.stat(log.file());
            known += member == null ? 0 : 1;
            boolean same =
                    member == null || stat != null && stat.key().equals(member.key) && stat.length() >= member.end;
            if (!same) {
                return false;
            }
            if (stat != null && (member == null || stat.length() != member.length)) {
                Member grown = grown(log, member, stat, chunks);
                if (grown == null) {
                    return false;
                }
                members.put(log.file(), grown);
            }
        }
        if (known < view.members.size()) {
            return false;
        }
        if (!members.equals(view.members)) {
            view.members = members;
            view.chunks = List.copyOf(chunks);
        }
        return true;
    }

    private @Nullable Member grown(LogDescriptor log, @Nullable Member member, FileSystem.Stat stat, List<Chunk> chunks)
            throws IOException {
        long from = member == null ? 0 : member.end;
        try (FileSystem.Input in = files.open(log.file())) {
            if (member != null && crc(in, from) != member.endCrc) {
                return null;
            }
            if (member != null && member.unended) {
                byte[] next = new byte[2];
                int read = in.read(from, next, 0, 2);
                int ended = read > 0 && next[0] == '\n' ? 1 : read > 1 && next[0] == '\r' && next[1] == '\n' ? 2 : 0;
                if (ended == 0) {
                    return null; // the line went on
                }
                from += ended;
            }
            long to = endOfLines(in, from, stat.length());
            boolean unended = to < stat.length() && endsObject(in, to, stat.length());
            to = unended ? stat.length() : to;
            if (to > from) {
                add(chunks, log, stat.key(), from, to, unended);
            }
            return new Member(log, stat.key(), stat.modifiedMillis(), stat.length(), to, crc(in, to), unended);
        }
    }

    static void add(List<Chunk> chunks, LogDescriptor log, Object key, long from, long to, boolean unended) {
        Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
        if (last != null && last.log.equals(log) && last.to == from && !last.unended) {
            chunks.set(chunks.size() - 1, new Chunk(log, key, last.start, last.from, to, unended));
        } else {
            chunks.add(new Chunk(log, key, last == null ? 0 : last.end(), from, to, unended));
        }
    }

    /** The end of the last line that is ended; {@code from} if there is none. */
    private static long endOfLines(FileSystem.Input in, long from, long length) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        for (long end = length; end > from; ) {
            long begin = Math.max(from, end - BLOCK_BYTES);
            int read = in.read(begin, block, 0, (int) (end - begin));
            for (int i = read - 1; i >= 0; i--) {
                if (block[i] == '\n') {
                    return begin + i + 1;
                }
            }
            end = begin;
        }
        return from;
    }

    /** Whether the bytes after the last line look like an entry without a line end, and not like one being written. */
    private static boolean endsObject(FileSystem.Input in, long from, long to) throws IOException {
        byte[] end = new byte[(int) Math.min(COMPARED_BYTES, to - from)];
        int read = in.read(to - end.length, end, 0, end.length);
        return new String(end, 0, Math.max(0, read), StandardCharsets.ISO_8859_1)
                .strip()
                .endsWith("}");
    }

    /** The checksum of the bytes before an offset. */
    static int crc(FileSystem.Input in, long end) throws IOException {
        byte[] bytes = new byte[(int) Math.min(COMPARED_BYTES, end)];
        int read = in.read(end - bytes.length, bytes, 0, bytes.length);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, Math.max(0, read));
        return (int) crc.getValue();
    }

    /**
     * Says that a line is in two logs, and whether the one of the later chunk is the one to show. Then the next
     * {@link #stat} finds another file, with the logs in their order.
     */
    @Override
    public void repeated(long earlier, long later) {
        View view = now;
        if (view != null) {
            outOfOrder |= isListedBefore(view.chunk(later).log, view.chunk(earlier).log);
        }
    }

    /** Logs are listed by their replicas, then by their names. */
    private static boolean isListedBefore(LogDescriptor log, LogDescriptor other) {
        int order = log.origin().replica().compareTo(other.origin().replica());
        return order < 0 || order == 0 && ChunkOrder.name(log).compareTo(ChunkOrder.name(other)) < 0;
    }

    /** Keeps the order of the chunks for the next process. */
    @Override
    public void save() throws IOException {
        looking.lock();
        try {
            View view = now;
            if (view != null && view.savedChunks != view.chunks) {
                order.write(view.chunks, view.members);
                view.savedChunks = view.chunks;
            }
        } finally {
            looking.unlock();
        }
    }

    /** The file in the order that an earlier process saved; an empty one if that does not fit the logs. */
    private View restored() {
        View view = new View(UUID.randomUUID().toString());
        try {
            ChunkOrder.Restored known = order.read(logs.get());
            outOfOrder |= known == null;
            view.members = known == null ? view.members : known.members();
            view.chunks = known == null ? view.chunks : known.chunks();
            view.savedChunks = view.chunks;
        } catch (IOException | RuntimeException e) {
            outOfOrder = true;
        }
        return view;
    }

    /** One state of the file, which grows until another takes its place. */
    final class View implements LogFile.PartsInput {
        private final String key;
        private final ReentrantLock reading = new ReentrantLock();
        private final LinkedHashMap<Path, FileSystem.Input> open = new LinkedHashMap<>(16, 0.75f, true);
        private volatile List<Chunk> chunks = List.of();
        private volatile Map<Path, Member> members = Map.of();
        private volatile List<Chunk> savedChunks = List.of();

        View(String key) {
            this.key = key;
        }

        private long length() {
            List<Chunk> all = chunks;
            return all.isEmpty() ? 0 : all.get(all.size() - 1).end();
        }

        private long modified() {
            long modified = 0;
            for (Member member : members.values()) {
                modified = Math.max(modified, member.modified);
            }
            return modified;
        }

        /** The owner of the line at an offset. */
        @Override
        public Origin origin(long offset) {
            return chunk(offset).log.origin();
        }

        @Override
        public boolean hasOwner(String replica) {
            return members.values().stream()
                    .anyMatch(member -> member.log.origin().replica().startsWith(replica));
        }

        private Chunk chunk(long offset) {
            List<Chunk> all = chunks;
            return all.get(at(all, offset));
        }

        private static int at(List<Chunk> all, long offset) {
            int low = 0;
            int high = all.size() - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (all.get(middle).start <= offset) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            List<Chunk> all = chunks;
            int done = 0;
            for (int i = all.isEmpty() ? 0 : at(all, position); i < all.size() && done < length; i++) {
                Chunk chunk = all.get(i);
                long in = chunk.from + position + done - chunk.start;
                int n = (int) Math.min(length - done, Math.max(0, chunk.to - in));
                read(chunk, in, into, offset + done, n);
                done += n;
                if (chunk.unended && done < length && position + done < chunk.end()) {
                    into[offset + done++] = '\n';
                }
            }
            return done == 0 && length > 0 ? -1 : done;
        }

        private void read(Chunk chunk, long position, byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            reading.lock();
            try {
                FileSystem.Input in = open.get(chunk.log.file());
                if (in == null) {
                    in = opened(chunk);
                }
                if (in.read(position, into, offset, length) < length) {
                    throw new LogChangedException(chunk.log.file() + " is shorter than it was; try again");
                }
            } finally {
                reading.unlock();
            }
        }

        private FileSystem.Input opened(Chunk chunk) throws IOException {
            if (open.size() >= MOST_OPEN) {
                Iterator<FileSystem.Input> eldest = open.values().iterator();
                eldest.next().close();
                eldest.remove();
            }
            FileSystem.Input in = files.open(chunk.log.file());
            FileSystem.Stat stat = files.stat(chunk.log.file());
            if (stat == null || !stat.key().equals(chunk.key)) {
                in.close();
                throw new LogChangedException(chunk.log.file() + " was replaced; try again");
            }
            open.put(chunk.log.file(), in);
            return in;
        }

        @Override
        public void close() throws IOException {
            reading.lock();
            try {
                for (FileSystem.Input in : open.values()) {
                    in.close();
                }
                open.clear();
            } finally {
                reading.unlock();
            }
        }
    }
}
