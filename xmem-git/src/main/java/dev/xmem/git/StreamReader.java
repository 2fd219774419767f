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

/** Reads on in one stream of a snapshot. */
final class StreamReader {
    private final ReplicaTree snapshot;
    private final Stream stream;
    private final Head end;

    StreamReader(ReplicaTree snapshot, Stream stream, Head end) {
        this.snapshot = snapshot;
        this.stream = stream;
        this.end = end;
    }

    /** What follows what is known, whole segments, until there is this much of it; null if nothing does. */
    @Nullable Chunk after(Head known, long most) throws IOException {
        if (end.generation() < known.generation()
                || end.generation() == known.generation() && end.position() <= known.position()) {
            return null;
        }
        boolean anew = end.generation() > known.generation();
        long from = anew ? 0 : known.position();
        Deque<ReplicaTree.Segment> segments = new ArrayDeque<>();
        long start = anew ? all(segments) : back(segments, from);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long skip = from - start;
        for (ReplicaTree.Segment segment : segments) {
            if (bytes.size() > 0 && bytes.size() + segment.size() > most) {
                break;
            }
            byte[] read = snapshot.bytes(segment);
            int begin = (int) Math.min(read.length, Math.max(0, skip));
            bytes.write(read, begin, read.length - begin);
            skip = 0;
        }
        return Chunk.of(stream, end.generation(), from, bytes.toByteArray());
    }

    private long all(Deque<ReplicaTree.Segment> into) throws IOException {
        for (ReplicaTree.Item folder : snapshot.folders(stream.name())) {
            into.addAll(snapshot.segments(folder));
        }
        return 0;
    }

    /** Only the last segments: back to the one that holds a position. Returns where that one begins. */
    private long back(Deque<ReplicaTree.Segment> into, long position) throws IOException {
        List<ReplicaTree.Item> folders = snapshot.folders(stream.name());
        long start = end.position();
        for (int f = folders.size() - 1; f >= 0 && start > position; f--) {
            List<ReplicaTree.Segment> segments = snapshot.segments(folders.get(f));
            for (int s = segments.size() - 1; s >= 0 && start > position; s--) {
                into.addFirst(segments.get(s));
                start -= segments.get(s).size();
            }
        }
        return start;
    }
}
