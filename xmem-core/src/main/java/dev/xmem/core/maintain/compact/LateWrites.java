package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.write.Appender;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Moves late writes to the logs. A program that does not use the store's lock may have opened a log before its file
 * was replaced, and write to the old file afterwards: what it writes is appended to the new one. Thread-safe.
 */
final class LateWrites {
    /** How long after a rename late writes to the replaced file are still moved to the log. */
    static final Duration WATCHED = Duration.ofSeconds(5);

    private static final int CHUNK_BYTES = 64 << 10;
    private static final int MOST_BYTES = 1 << 20;

    private final Appender appender;
    private final List<ReplacedLog> replaced = new CopyOnWriteArrayList<>();

    LateWrites(Appender appender) {
        this.appender = appender;
    }

    /** Watches a file that was just replaced, and moves what was written since. The caller holds the store's lock. */
    void add(ReplacedLog file) {
        file.replacedAt = System.nanoTime();
        replaced.add(file);
        try {
            file.moveBytes();
        } catch (IOException e) {
            Log.debug("a replaced log was not read; it is read at the next collection", e);
        }
    }

    boolean isEmpty() {
        return replaced.isEmpty();
    }

    /**
     * Moves what was written since the last collection. What cannot be moved now is tried again at the next one. A file
     * that was replaced {@link #WATCHED} ago is read for the last time.
     *
     * @param now what {@link System#nanoTime} returns
     */
    void collect(long now) {
        collect(file -> now - file.replacedAt >= WATCHED.toNanos());
    }

    /** Reads all files for the last time. */
    void close() {
        collect(file -> true);
    }

    private void collect(Predicate<ReplacedLog> isLast) {
        for (ReplacedLog file : List.copyOf(replaced)) {
            boolean last = isLast.test(file);
            if (!last || replaced.remove(file)) {
                collect(file, last);
            }
        }
    }

    private void collect(ReplacedLog file, boolean last) {
        try {
            if (file.grew()) {
                appender.alone(() -> file.moveLines(last));
            }
            if (last) {
                file.close();
            }
        } catch (IOException | RuntimeException e) {
            if (!file.closed) {
                Log.warning("late writes to a replaced log were not read: " + e.getMessage(), null);
            }
        }
    }

    /** The file that a log had before another file took its name. Thread-safe. */
    static final class ReplacedLog implements Closeable {
        private final FileSystem files;
        private final Path log;
        private final FileSystem.Input before;
        /** When the log was renamed, as {@link System#nanoTime} counts. */
        private volatile long replacedAt = System.nanoTime();
        /** Everything below is in the log. Guarded by the store's lock. */
        private volatile long end;

        private volatile boolean closed;

        ReplacedLog(FileSystem files, Path log) throws IOException {
            this.files = files;
            this.log = log;
            this.before = files.open(log);
        }

        void copiedTo(long length) {
            end = length;
        }

        private boolean grew() throws IOException {
            return !closed && before.read(end, new byte[1], 0, 1) > 0;
        }

        /** Moves bytes as they are: right after the rename, nothing else was appended to the log. */
        private void moveBytes() throws IOException {
            long from = end;
            byte[] late = read(from, MOST_BYTES);
            if (late.length > 0) {
                append(late, false);
                end = from + late.length;
            }
        }

        /**
         * Moves whole lines; a line of which the log has the beginning is moved from its beginning.
         *
         * @param last whether a line without a line end is moved too
         */
        private void moveLines(boolean last) throws IOException {
            while (grew()) {
                long start = lineStart();
                byte[] late = read(start, (int) (end - start) + MOST_BYTES);
                int whole = last || late.length >= MOST_BYTES ? late.length : endOfLines(late);
                if (start + whole <= end) {
                    return;
                }
                append(Arrays.copyOf(late, whole), true);
                end = start + whole;
            }
        }

        private static int endOfLines(byte[] bytes) {
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            return end;
        }

        /** Where the line begins that contains the end; the end itself if that line is too long. */
        private long lineStart() throws IOException {
            long at = end;
            while (at > 0 && end - at < MOST_BYTES) {
                byte[] some = read(Math.max(0, at - CHUNK_BYTES), (int) Math.min(CHUNK_BYTES, at));
                int newline = endOfLines(some);
                at -= some.length - newline;
                if (newline > 0 || some.length == 0) {
                    return at;
                }
            }
            return at == 0 ? 0 : end;
        }

        private byte[] read(long from, int most) throws IOException {
            byte[] bytes = new byte[Math.min(CHUNK_BYTES, most)];
            int filled = 0;
            while (true) {
                int read = before.read(from + filled, bytes, filled, bytes.length - filled);
                filled += Math.max(0, read);
                if (read <= 0 || filled == most) {
                    return Arrays.copyOf(bytes, filled);
                }
                bytes = filled < bytes.length ? bytes : Arrays.copyOf(bytes, (int) Math.min(most, 2L * filled));
            }
        }

        private void append(byte[] lines, boolean sealed) throws IOException {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            if (sealed) {
                all.write('\n');
            }
            all.writeBytes(lines);
            if (sealed && lines[lines.length - 1] != '\n') {
                all.write('\n');
            }
            try (FileSystem.Output out = files.append(log)) {
                out.write(all.toByteArray(), 0, all.size());
                out.force();
            }
        }

        @Override
        public void close() throws IOException {
            closed = true;
            before.close();
        }
    }
}
