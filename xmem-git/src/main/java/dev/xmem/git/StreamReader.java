package dev.xmem.git;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one stream of a replica's tree. */
final class StreamReader {
    private final ReplicaTree tree;
    private final Stream stream;
    private final Head end;

    StreamReader(ReplicaTree tree, Stream stream, Head end) {
        this.tree = tree;
        this.stream = stream;
        this.end = end;
    }

    /** The bytes after a known head, in whole segments up to {@code maxBytes}, at least one; null if there are none. */
    @Nullable Chunk after(Head known, long maxBytes) throws IOException {
        if (end.generation() < known.generation()
                || end.generation() == known.generation() && end.position() <= known.position()) {
            return null;
        }
        boolean rewritten = end.generation() > known.generation();
        long from = rewritten ? 0 : known.position();
        Deque<ReplicaTree.Segment> segments = new ArrayDeque<>();
        long start = rewritten ? allSegments(segments) : segmentsFrom(segments, from);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long skip = from - start;
        for (ReplicaTree.Segment segment : segments) {
            if (bytes.size() > 0 && bytes.size() + segment.size() > maxBytes) {
                break;
            }
            byte[] read = tree.bytes(segment);
            int begin = (int) Math.min(read.length, Math.max(0, skip));
            bytes.write(read, begin, read.length - begin);
            skip = 0;
        }
        return Chunk.of(stream, end.generation(), from, bytes.toByteArray());
    }

    private long allSegments(Deque<ReplicaTree.Segment> into) throws IOException {
        for (ReplicaTree.Item folder : tree.folders(stream.name())) {
            into.addAll(tree.segments(folder));
        }
        return 0;
    }

    /** Collects the segments from the one that contains a position on; returns where that segment begins. */
    private long segmentsFrom(Deque<ReplicaTree.Segment> into, long position) throws IOException {
        List<ReplicaTree.Item> folders = tree.folders(stream.name());
        long start = end.position();
        for (int f = folders.size() - 1; f >= 0 && start > position; f--) {
            List<ReplicaTree.Segment> segments = tree.segments(folders.get(f));
            for (int s = segments.size() - 1; s >= 0 && start > position; s--) {
                into.addFirst(segments.get(s));
                start -= segments.get(s).size();
            }
        }
        return start;
    }
}
