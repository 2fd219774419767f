package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far own streams are out and those of others are in. What is not known, or is not so any more, is found out from the
 * backend: losing this costs time only. One thread.
 */
final class SyncState {
    private final FileSystem disk;
    private final SyncPaths files;
    private final Map<String, Own> own = new TreeMap<>();
    private final Map<String, Peer> peers = new TreeMap<>();
    private boolean changed;

    /**
     * An own stream.
     *
     * @param head where it ends at the backend
     * @param key which file it was read from
     * @param tail a digest of the last bytes before the head
     * @param sum a checksum of all bytes before the head
     * @param tried where the stream ends if a publication succeeded that nobody lived to note; -1 if there was none
     * @param triedSum a checksum of all bytes before that
     */
    record Own(Head head, String key, String tail, long sum, long tried, long triedSum) {
        /** Of a stream that is out so far. */
        Own(Head head, String key, String tail, long sum) {
            this(head, key, tail, sum, -1, 0);
        }

        /** Of a stream that is to be published from its beginning. */
        static Own begun(long generation) {
            return new Own(new Head(generation, 0), "", "", 0);
        }

        /** About to be published so far. */
        Own trying(Own next) {
            return new Own(head, key, tail, sum, next.head.position(), next.sum);
        }
    }

    /**
     * Another replica's stream.
     *
     * @param stream its name
     * @param head how far it is here
     * @param length how long the file is that it was written to
     */
    record Peer(Stream stream, Head head, long length) {}

    private SyncState(FileSystem disk, SyncPaths files) {
        this.disk = disk;
        this.files = files;
    }

    static SyncState load(FileSystem disk, LineCodec codec, SyncPaths files) throws IOException {
        SyncState state = new SyncState(disk, files);
        for (Map<String, Object> line : JsonLinesFile.read(disk, codec, files.state())) {
            state.take(line);
        }
        return state;
    }

    private void take(Map<String, Object> line) {
        String name = JsonLinesFile.text(line, "stream");
        String replica = JsonLinesFile.text(line, "replica");
        Head head = head(JsonLinesFile.number(line, "generation"), JsonLinesFile.number(line, "position"));
        if (name == null || !Stream.isName(name) || head == null) {
            return;
        }
        if (replica == null) {
            own.put(
                    name,
                    new Own(
                            head,
                            text(line, "key"),
                            text(line, "tail"),
                            JsonLinesFile.number(line, "sum"),
                            JsonLinesFile.number(line, "tried"),
                            JsonLinesFile.number(line, "tried_sum")));
        } else if (Stream.isReplica(replica)) {
            Stream stream = new Stream(replica, name);
            peers.put(key(stream), new Peer(stream, head, JsonLinesFile.number(line, "length")));
        }
    }

    private static String text(Map<String, Object> line, String name) {
        return Objects.requireNonNullElse(JsonLinesFile.text(line, name), "");
    }

    private static @Nullable Head head(long generation, long position) {
        return generation < 0 || generation > Head.LAST_GENERATION || position < 0
                ? null
                : new Head(generation, position);
    }

    private static String key(Stream stream) {
        return stream.replica() + "/" + stream.name();
    }

    /** What is known of an own stream; null if nothing is. */
    @Nullable Own own(String name) {
        return own.get(name);
    }

    void own(String name, Own now) {
        own.put(name, now);
        changed = true;
    }

    void forgetOwn() {
        own.clear();
        changed = true;
    }

    /** What is known of another's stream; null if nothing is. */
    @Nullable Peer peer(Stream stream) {
        return peers.get(key(stream));
    }

    void peer(Peer now) {
        peers.put(key(now.stream()), now);
        changed = true;
    }

    void forget(Stream stream) {
        changed |= peers.remove(key(stream)) != null;
    }

    /** All streams of others. */
    List<Peer> peers() {
        return List.copyOf(peers.values());
    }

    int streamsOf(String replica) {
        return (int) peers.values().stream()
                .filter(peer -> peer.stream().replica().equals(replica))
                .count();
    }

    int replicas() {
        return (int) peers.values().stream()
                .map(peer -> peer.stream().replica())
                .distinct()
                .count();
    }

    /** Where everything that is here ends. */
    Map<Stream, Head> known() {
        Map<Stream, Head> known = new HashMap<>();
        peers.values().forEach(peer -> known.put(peer.stream(), peer.head()));
        return known;
    }

    /** Own streams whose next line starts where the backend has them. */
    Map<String, Own> owns() {
        return own;
    }

    void save() throws IOException {
        if (!changed) {
            return;
        }
        StringBuilder text = new StringBuilder();
        own.forEach((name, o) -> text.append("{\"stream\":\"%s\",%s,\"key\":\"%s\",\"tail\":\"%s\",\"sum\":%d%s}\n"
                .formatted(name, figures(o.head()), o.key(), o.tail(), o.sum(), tried(o))));
        peers.values()
                .forEach(p -> text.append("{\"replica\":\"%s\",\"stream\":\"%s\",%s,\"length\":%d}\n"
                        .formatted(p.stream().replica(), p.stream().name(), figures(p.head()), p.length())));
        disk.replace(files.state(), text.toString().getBytes(StandardCharsets.UTF_8));
        changed = false;
    }

    private static String tried(Own own) {
        return own.tried() < 0 ? "" : ",\"tried\":%d,\"tried_sum\":%d".formatted(own.tried(), own.triedSum());
    }

    private static String figures(Head head) {
        return "\"generation\":%d,\"position\":%d".formatted(head.generation(), head.position());
    }
}
