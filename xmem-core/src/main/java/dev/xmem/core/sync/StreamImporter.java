package dev.xmem.core.sync;

import dev.xmem.Entry;
import dev.xmem.Limits;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Imports what other replicas published. The data is untrusted: a stream is written to its own file only, a line that
 * is malformed or too long is refused and reported, and the number and size of streams are bounded. Valid lines are
 * kept byte for byte. A stream that exceeds a limit is not read on: see docs/adr/0062-import-limits.md. Used by one
 * thread, for one round.
 */
final class StreamImporter {
    private static final int MAX_REPLICAS = 4096;
    private static final int MAX_STREAMS_PER_REPLICA = 512;
    private static final int MAX_LEFT = 1 << 16;
    private static final int MAX_REFUSED = 100;
    private static final int SHORT_ID = 8;

    private final FileSystem fileSystem;
    private final SyncPaths paths;
    private final Limits limits;
    private final List<String> refused = new ArrayList<>();
    private long refusals;
    long imported;

    StreamImporter(FileSystem fileSystem, SyncPaths paths, Limits limits) {
        this.fileSystem = fileSystem;
        this.paths = paths;
        this.limits = limits;
    }

    /** The kind of the lines of a stream that have no type field. */
    static Entry.Kind kind(String stream) {
        return switch (base(stream)) {
            case "failures" -> Entry.Kind.FAILURE;
            case "successes" -> Entry.Kind.SUCCESS;
            case "memories" -> Entry.Kind.DIRECTIVE;
            default -> Entry.Kind.NOTE;
        };
    }

    /** The name of a stream without the suffix of an archive: {@code failures} for {@code failures-2026}. */
    static String base(String stream) {
        int hyphen = stream.indexOf('-');
        return hyphen < 0 ? stream : stream.substring(0, hyphen);
    }

    /** What was refused, a sentence each: the first hundred, and the number of the others. */
    List<String> refused() {
        List<String> all = new ArrayList<>(refused);
        if (refusals > refused.size()) {
            all.add("and " + (refusals - refused.size()) + " more were refused");
        }
        return all;
    }

    void refuse(String sentence) {
        refusals++;
        if (refused.size() < MAX_REFUSED) {
            refused.add(sentence);
        }
    }

    /**
     * Imports a chunk; returns false if it does not continue the local file, and the stream is needed from its start.
     */
    boolean add(Chunk chunk, SyncState state) throws IOException {
        Stream stream = chunk.stream();
        SyncState.Peer known = state.peer(stream);
        Path file = paths.peer(stream);
        if (known != null
                && known.wanted() > 0
                && chunk.generation() == known.head().generation()) {
            return true;
        }
        if (!chunk.follows(known == null ? Head.NONE : known.head())) {
            return false;
        }
        long length =
                chunk.from() == 0 ? 0 : Objects.requireNonNull(known, "known").length();
        long importedBefore = imported;
        byte[] lines = validLines(chunk);
        if (!hasRoom(stream, length + lines.length, state)) {
            imported = importedBefore;
            if (chunk.from() == 0 && known != null) {
                fileSystem.replace(file, new byte[0]); // its owner may have erased what the file has
            }
            if (known != null || state.peers().size() < MAX_LEFT) {
                Head never = new Head(chunk.generation(), Long.MAX_VALUE);
                state.peer(new SyncState.Peer(stream, never, length, Math.max(1, length + lines.length)));
            }
            return true;
        }
        if (chunk.from() == 0) {
            fileSystem.createFolders(Objects.requireNonNull(file.getParent(), "folder"));
            fileSystem.replace(file, lines);
        } else if (!hasLength(file, length)) {
            state.forget(stream);
            return false;
        } else if (lines.length > 0) {
            try (FileSystem.Output out = fileSystem.append(file)) {
                out.write(lines, 0, lines.length);
            }
        }
        state.peer(new SyncState.Peer(stream, chunk.end(), length + lines.length, 0));
        return true;
    }

    /** Whether a stream may have a copy of a length beside the others. */
    private boolean hasRoom(Stream stream, long length, SyncState state) {
        long ofReplica = length;
        long ofAll = length;
        int streams = 0;
        Set<String> replicas = new HashSet<>();
        for (SyncState.Peer peer : state.peers()) {
            if (peer.stream().equals(stream) || peer.wanted() > 0 && peer.length() == 0) {
                continue;
            }
            replicas.add(peer.stream().replica());
            ofAll += peer.length();
            if (peer.stream().replica().equals(stream.replica())) {
                ofReplica += peer.length();
                streams++;
            }
        }
        return length <= limits.storeBytes()
                && ofReplica <= limits.peerBytes()
                && ofAll <= limits.importBytes()
                && streams < MAX_STREAMS_PER_REPLICA
                && (streams > 0 || replicas.size() < MAX_REPLICAS);
    }

    /**
     * Forgets streams whose files have another length than the state says, and those that a limit refused and that have
     * room now: they are imported again.
     */
    void forgetChangedFiles(SyncState state) throws IOException {
        for (SyncState.Peer peer : state.peers()) {
            boolean none = peer.wanted() > 0 && peer.length() == 0;
            boolean same = none || hasLength(paths.peer(peer.stream()), peer.length());
            if (!same || peer.wanted() > 0 && hasRoom(peer.stream(), peer.wanted(), state)) {
                state.forget(peer.stream());
            }
        }
    }

    /** False if the file was changed by another program, or a crash prevented the state from being saved. */
    private boolean hasLength(Path file, long length) throws IOException {
        FileSystem.Stat stat = fileSystem.stat(file);
        return stat != null && stat.length() == length;
    }

    static String label(Stream stream) {
        return stream.replica().substring(0, SHORT_ID) + "/" + stream.name();
    }

    /** The valid lines of a chunk. */
    private byte[] validLines(Chunk chunk) {
        byte[] bytes = chunk.bytes();
        Entry.Kind kind = kind(chunk.stream().name());
        ByteArrayOutputStream valid = new ByteArrayOutputStream(bytes.length);
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') {
                continue;
            }
            String problem = problem(kind, bytes, start, i - start);
            if (problem == null) {
                imported++;
                valid.write(bytes, start, i + 1 - start);
            } else if (!problem.isEmpty()) {
                refuse(label(chunk.stream()) + " at byte " + (chunk.from() + start) + ": a line " + problem);
            }
            start = i + 1;
        }
        if (start < bytes.length) {
            refuse(label(chunk.stream()) + " at byte " + (chunk.from() + start) + ": a line without an end");
        }
        return valid.toByteArray();
    }

    /** Whether a line has nothing but spaces, which stand for a private line, and a carriage return. */
    private static boolean isBlank(byte[] bytes, int start, int length) {
        for (int i = start; i < start + length; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    /** The problem with a line; null if it is valid, empty if it is blank. */
    private @Nullable String problem(Entry.Kind kind, byte[] bytes, int start, int length) {
        if (isBlank(bytes, start, length)) {
            return "";
        }
        if (length > limits.lineBytes()) {
            return "is longer than the limit of " + limits.lineBytes() + " bytes";
        }
        try {
            LineCodec.indexedFields(kind, bytes, start, length);
            return null;
        } catch (MalformedLineException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
