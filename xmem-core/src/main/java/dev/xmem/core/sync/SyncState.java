package dev.xmem.core.sync;

import dev.xmem.SyncReport;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the own streams are published and the peers' streams are imported, kept in {@code sync-state.jsonl}. It can
 * be rebuilt from the backend: losing it costs time only. Used by one thread at a time.
 */
final class SyncState {
    private final FileSystem fileSystem;
    private final SyncPaths paths;
    private final Map<String, Own> own = new TreeMap<>();
    private final Map<Stream, Peer> peers =
            new TreeMap<>(Comparator.comparing(Stream::replica).thenComparing(Stream::name));
    private final Map<Stream, String> unread = new HashMap<>();
    private Map<Stream, String> savedUnread = Map.of();
    private boolean changed;

    /**
     * An own stream.
     *
     * @param head its end at the backend
     * @param key the key of the file that it was read from; empty if the file is not known
     * @param tail a digest of the last bytes before the head
     * @param checksum a checksum of all bytes before the head
     * @param attempted its end if a publication whose result is unknown succeeded; -1 if there was none
     * @param attemptedChecksum a checksum of all bytes before that
     */
    record Own(Head head, String key, String tail, long checksum, long attempted, long attemptedChecksum) {
        Own(Head head, String key, String tail, long checksum) {
            this(head, key, tail, checksum, -1, 0);
        }

        /** A stream that is to be published from its beginning. */
        static Own begun(long generation) {
            return new Own(new Head(generation, 0), "", "", 0);
        }

        /** The same with a publication that is about to be attempted. */
        Own attempting(Own next) {
            return new Own(head, key, tail, checksum, next.head.position(), next.checksum);
        }
    }

    /**
     * A stream of another replica.
     *
     * @param head how far it is imported
     * @param length the length of the file with its lines
     * @param wanted 0; or the length that a limit refused, and the stream is not read on
     */
    record Peer(Stream stream, Head head, long length, long wanted) {}

    /** A stream that is not read on. */
    record Left(String replica, String stream, SyncReport.Reason reason, String text) implements SyncReport.Unread {
        static Left of(Stream stream, SyncReport.Reason reason, String text) {
            return new Left(stream.replica(), stream.name(), reason, StreamImporter.label(stream) + text);
        }
    }

    private SyncState(FileSystem fileSystem, SyncPaths paths) {
        this.fileSystem = fileSystem;
        this.paths = paths;
    }

    static SyncState load(FileSystem fileSystem, SyncPaths paths) throws IOException {
        SyncState state = new SyncState(fileSystem, paths);
        for (Map<String, Object> line : JsonLinesFile.read(fileSystem, paths.state())) {
            state.add(line);
        }
        state.savedUnread = Map.copyOf(state.unread);
        return state;
    }

    private void add(Map<String, Object> line) {
        String name = JsonLinesFile.text(line, "stream");
        String replica = JsonLinesFile.text(line, "replica");
        long generation = JsonLinesFile.number(line, "generation");
        long position = JsonLinesFile.number(line, "position");
        if (Stream.isName(name) && Stream.isReplica(replica) && line.containsKey("unread")) {
            unread.put(new Stream(replica, name), JsonLinesFile.text(line, "unread"));
            return;
        }
        if (!Stream.isName(name) || generation < 0 || generation > Head.LAST_GENERATION || position < 0) {
            return;
        }
        Head head = new Head(generation, position);
        if (!line.containsKey("replica")) {
            own.put(
                    name,
                    new Own(
                            head,
                            JsonLinesFile.text(line, "key"),
                            JsonLinesFile.text(line, "tail"),
                            JsonLinesFile.number(line, "sum"),
                            JsonLinesFile.number(line, "tried"),
                            JsonLinesFile.number(line, "tried_sum")));
        } else if (Stream.isReplica(replica)) {
            Stream stream = new Stream(replica, name);
            long wanted = Math.max(0, JsonLinesFile.number(line, "wanted"));
            peers.put(stream, new Peer(stream, head, JsonLinesFile.number(line, "length"), wanted));
        }
    }

    /** The state of an own stream; null if nothing is known. */
    @Nullable Own own(String name) {
        return own.get(name);
    }

    void own(String name, Own now) {
        own.put(name, now);
        changed = true;
    }

    /** All own streams by name; a view. */
    Map<String, Own> own() {
        return Collections.unmodifiableMap(own);
    }

    void forgetOwn() {
        own.clear();
        changed = true;
    }

    /** The state of another replica's stream; null if nothing is imported. */
    @Nullable Peer peer(Stream stream) {
        return peers.get(stream);
    }

    void peer(Peer now) {
        peers.put(now.stream(), now);
        changed = true;
    }

    void forget(Stream stream) {
        changed |= peers.remove(stream) != null;
    }

    /** All streams of other replicas. */
    List<Peer> peers() {
        return List.copyOf(peers.values());
    }

    /** The files of a shared folder that are not read until they change, see {@link DirectorySync#unread}. */
    Map<Stream, String> unread() {
        return unread;
    }

    /** The streams that are not read on. */
    List<SyncReport.Unread> left() {
        List<SyncReport.Unread> left = new ArrayList<>();
        for (Peer peer : peers.values()) {
            if (peer.wanted > 0) {
                String text = " is left out from byte " + peer.length + " of its copy on: with " + peer.wanted
                        + " bytes it exceeds a limit on imports. Raise Limits.peerBytes or importBytes, or ask its owner"
                        + " to compact";
                left.add(Left.of(peer.stream, SyncReport.Reason.LIMIT, text));
            }
        }
        unread.forEach((stream, seen) -> {
            if (seen.startsWith(DirectorySync.LARGE)) {
                String text = " has no line that ends within 64 MiB, and is not read again until its file changes. Ask"
                        + " its owner to repair or to delete it";
                left.add(Left.of(stream, SyncReport.Reason.NO_LINE, text));
            }
        });
        return left;
    }

    /** How far the streams of other replicas are imported. */
    Map<Stream, Head> peerHeads() {
        Map<Stream, Head> heads = new HashMap<>();
        peers.forEach((stream, peer) -> heads.put(stream, peer.head()));
        return heads;
    }

    /** Writes the file if the state has changed. */
    void save() throws IOException {
        if (!changed && unread.equals(savedUnread)) {
            return;
        }
        StringBuilder text = new StringBuilder();
        own.forEach((name, o) -> text.append("{\"stream\":\"" + name + "\"," + json(o.head()) + ",\"key\":\"" + o.key()
                + "\",\"tail\":\"" + o.tail() + "\",\"sum\":" + o.checksum() + attempt(o) + "}\n"));
        peers.forEach((stream, peer) -> text.append("{\"replica\":\"" + stream.replica() + "\",\"stream\":\""
                + stream.name() + "\"," + json(peer.head()) + ",\"length\":" + peer.length()
                + (peer.wanted() > 0 ? ",\"wanted\":" + peer.wanted() : "") + "}\n"));
        unread.forEach((stream, seen) -> text.append("{\"replica\":\"" + stream.replica() + "\",\"stream\":\""
                + stream.name() + "\",\"unread\":\"" + seen + "\"}\n"));
        fileSystem.replace(paths.state(), text.toString().getBytes(StandardCharsets.UTF_8));
        changed = false;
        savedUnread = Map.copyOf(unread);
    }

    private static String attempt(Own own) {
        return own.attempted() < 0 ? "" : ",\"tried\":" + own.attempted() + ",\"tried_sum\":" + own.attemptedChecksum();
    }

    private static String json(Head head) {
        return "\"generation\":" + head.generation() + ",\"position\":" + head.position();
    }
}
