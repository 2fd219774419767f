package dev.xmem.core.store.index;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.store.log.LineSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the lines of a log on all cores, and passes them on in their order. A few lines are parsed by the thread that
 * reads them. For one thread.
 */
final class LineBatch implements LineSink {
    private static final int BATCH_BYTES = 1 << 20;
    private static final int FIRST_BYTES = 4 << 10;
    /** Fewer lines are not worth other threads. */
    private static final int MANY = 256;

    private static final int TOGETHER = 64;

    private final LogIndexer indexer;
    private final List<Line> lines = new ArrayList<>();
    /** Allocated with the first line: each append refreshes its log, and most find no line of another process. */
    private byte[] bytes = {};

    private int filled;

    LineBatch(LogIndexer indexer) {
        this.indexer = indexer;
    }

    /** A line in the array, or a range that is passed over. */
    private record Line(
            long offset, int start, long length, @Nullable String malformed) {}

    @Override
    public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
        if (!ended) {
            end();
            return indexer.line(offset, buffer, start, length, false);
        }
        if (filled > 0 && filled + length > BATCH_BYTES) {
            end();
        }
        if (filled + length > bytes.length) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(filled + length, Math.min(BATCH_BYTES, Math.max(FIRST_BYTES, 2 * bytes.length))));
        }
        System.arraycopy(buffer, start, bytes, filled, length);
        lines.add(new Line(offset, filled, length, null));
        filled += length;
        return true;
    }

    @Override
    public void malformed(long offset, long length, String reason) {
        lines.add(new Line(offset, filled, length, reason));
    }

    @Override
    public void end() {
        if (lines.isEmpty()) {
            return;
        }
        int next = 0;
        for (List<LogIndexer.ParsedLine> some : parse((lines.size() + TOGETHER - 1) / TOGETHER)) {
            for (LogIndexer.ParsedLine each : some) {
                Line line = lines.get(next++);
                if (line.malformed != null) {
                    indexer.malformed(line.offset, line.length, line.malformed);
                } else {
                    indexer.line(each, line.offset, bytes, line.start, (int) line.length, true);
                }
            }
        }
        lines.clear();
        filled = 0;
    }

    private List<List<LogIndexer.ParsedLine>> parse(int parts) {
        try {
            return ResourcePool.all(parts, lines.size() >= MANY, part -> {
                return parse(part * TOGETHER, Math.min(lines.size(), (part + 1) * TOGETHER));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<LogIndexer.ParsedLine> parse(int from, int to) {
        List<LogIndexer.ParsedLine> parsed = new ArrayList<>(to - from);
        for (Line line : lines.subList(from, to)) {
            parsed.add(
                    line.malformed != null
                            ? LogIndexer.ParsedLine.NOT_READ
                            : indexer.parse(bytes, line.start, (int) line.length));
        }
        return parsed;
    }
}
