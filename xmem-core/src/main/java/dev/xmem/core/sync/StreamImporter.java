package dev.xmem.core.sync;

import dev.xmem.Entry;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what other replicas published. Nothing of it is trusted: a name leads nowhere but to its own file, a line that
 * is no entry, or too long, is left out and told of, and there are bounds to how much there may be. The bytes of the lines
 * that are kept are the owner's. One thread.
 */
final class StreamImporter {
    private static final int MAX_REPLICAS = 4096;
    private static final int MAX_STREAMS_OF_ONE = 512;
    private static final int MAX_TOLD = 100;
    private static final int SHORT_ID = 8;

    private final FileSystem disk;
    private final SyncPaths files;
    private final LineCodec codec;
    private final int lineBytes;
    private final long storeBytes;
    private final List<String> refused = new ArrayList<>();
    private long refusals;
    private long imported;

    StreamImporter(FileSystem disk, SyncPaths files, LineCodec codec, int lineBytes, long storeBytes) {
        this.disk = disk;
        this.files = files;
        this.codec = codec;
        this.lineBytes = lineBytes;
        this.storeBytes = storeBytes;
    }

    /** What the lines of a stream are, unless they say otherwise. */
    static Entry.Kind kind(String stream) {
        int hyphen = stream.indexOf('-');
        return switch (hyphen < 0 ? stream : stream.substring(0, hyphen)) {
            case "failures" -> Entry.Kind.FAILURE;
            case "successes" -> Entry.Kind.SUCCESS;
            case "memories" -> Entry.Kind.DIRECTIVE;
            default -> Entry.Kind.NOTE;
        };
    }

    /** How many lines were taken in. */
    long imported() {
        return imported;
    }

    /** What was left out, a sentence each; the first hundred, and how many more. */
    List<String> refused() {
        List<String> told = new ArrayList<>(refused);
        if (refusals > refused.size()) {
            told.add("and " + (refusals - refused.size()) + " more were refused");
        }
        return told;
    }

    void refuse(String what) {
        refusals++;
        if (refused.size() < MAX_TOLD) {
            refused.add(what);
        }
    }

    /** Takes in a chunk; false if it does not fit to what is here, and the stream is wanted from its beginning. */
    boolean take(Chunk chunk, SyncState state) throws IOException {
        Stream stream = chunk.stream();
        SyncState.Peer known = state.peer(stream);
        Path file = files.peer(stream);
        if (!chunk.follows(known == null ? Head.NONE : known.head())) {
            return false;
        }
        if (known == null && tooMany(stream, state)) {
            return true;
        }
        long length =
                chunk.from() == 0 ? 0 : Objects.requireNonNull(known, "known").length();
        byte[] lines = checked(chunk);
        if (length + lines.length > storeBytes) {
            refuse(label(stream) + " is larger than a store may be");
            return true;
        }
        if (chunk.from() == 0) {
            disk.createFolders(Objects.requireNonNull(file.getParent(), "folder"));
            disk.replace(file, lines);
        } else if (!appended(file, length, lines)) {
            state.forget(stream);
            return false;
        }
        state.peer(new SyncState.Peer(stream, chunk.end(), length + lines.length));
        return true;
    }

    private boolean tooMany(Stream stream, SyncState state) {
        if (state.streamsOf(stream.replica()) >= MAX_STREAMS_OF_ONE) {
            refuse(label(stream) + ": no replica may have more than " + MAX_STREAMS_OF_ONE + " streams");
            return true;
        }
        if (state.streamsOf(stream.replica()) == 0 && state.replicas() >= MAX_REPLICAS) {
            refuse(label(stream) + ": there are more than " + MAX_REPLICAS + " replicas");
            return true;
        }
        return false;
    }

    /** Files that are not as they were left are wanted from their beginning. */
    void forgetWhatChanged(SyncState state) throws IOException {
        for (SyncState.Peer peer : state.peers()) {
            Path file = files.peer(peer.stream());
            FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
            if (stat == null || stat.length() != peer.length()) {
                state.forget(peer.stream());
            }
        }
    }

    /** Appends, if the file is as long as it was left: else somebody changed it, or a crash came in between. */
    private boolean appended(Path file, long length, byte[] lines) throws IOException {
        FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
        if (stat == null || stat.length() != length) {
            return false;
        }
        if (lines.length > 0) {
            try (FileSystem.Output out = disk.append(file)) {
                out.write(lines, 0, lines.length);
            }
        }
        return true;
    }

    private static String label(Stream stream) {
        return stream.replica().substring(0, SHORT_ID) + "/" + stream.name();
    }

    /** The lines that are entries. */
    private byte[] checked(Chunk chunk) {
        byte[] bytes = chunk.bytes();
        Entry.Kind kind = kind(chunk.stream().name());
        ByteArrayOutputStream kept = null;
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '\n') {
                continue;
            }
            String problem = problem(kind, bytes, start, i - start);
            if (problem == null) {
                imported++;
                if (kept != null) {
                    kept.write(bytes, start, i + 1 - start);
                }
            } else {
                if (kept == null) {
                    kept = new ByteArrayOutputStream(bytes.length);
                    kept.write(bytes, 0, start);
                }
                if (!problem.isEmpty()) {
                    refuse(label(chunk.stream()) + " at byte " + (chunk.from() + start) + ": a line " + problem);
                }
            }
            start = i + 1;
        }
        if (start < bytes.length) {
            refuse(label(chunk.stream()) + " at byte " + (chunk.from() + start) + ": a line without an end");
            kept = kept == null ? beginning(bytes, start) : kept;
        }
        return kept == null ? bytes : kept.toByteArray();
    }

    private static ByteArrayOutputStream beginning(byte[] bytes, int length) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream(length);
        kept.write(bytes, 0, length);
        return kept;
    }

    /** What is wrong with a line; null if nothing is, empty if it is only blank. */
    private @Nullable String problem(Entry.Kind kind, byte[] bytes, int start, int length) {
        if (length == 0 || length == 1 && bytes[start] == '\r') {
            return "";
        }
        if (length > lineBytes) {
            return "is longer than the limit of " + lineBytes + " bytes";
        }
        try {
            codec.facts(kind, bytes, start, length);
            return null;
        } catch (MalformedLineException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
