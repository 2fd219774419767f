package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Batch;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One round: publish, then import, each as far as time allows. Used once, by the holder of the lock. */
final class SyncRound {
    private static final long BATCH_BYTES = 8L << 20;
    private static final int TRIES = 4;

    private final SyncBackend backend;
    private final FileSystem disk;
    private final LineCodec codec;
    private final ReplicaIdentity replica;
    private final SyncPaths files;
    private final StreamImporter inbox;
    private final StreamPublisher outbox;
    private final long deadline;
    private final BooleanSupplier stopped;
    /** Whether to see first that the backend has what is noted to be there: it may be another than the last time. */
    private final boolean check;

    private long published;
    private boolean lost;

    SyncRound(
            SyncBackend backend,
            FileSystem disk,
            LineCodec codec,
            ReplicaIdentity replica,
            SyncPaths files,
            StreamImporter inbox,
            StreamPublisher outbox,
            boolean check,
            Duration limit,
            BooleanSupplier stopped) {
        this.backend = backend;
        this.disk = disk;
        this.codec = codec;
        this.replica = replica;
        this.files = files;
        this.inbox = inbox;
        this.outbox = outbox;
        this.check = check && !backend.abilities().contains(SyncBackend.Ability.WRITE_ONLY);
        this.deadline = System.nanoTime() + limit.toNanos();
        this.stopped = stopped;
    }

    /** Runs it; whatever goes wrong ends up in the result. */
    RoundResult run(boolean publish, boolean poll) {
        String id = "";
        long pending = 0;
        @Nullable Exception failure = null;
        try {
            id = replica.id();
            SyncState state = SyncState.load(disk, codec, files);
            try {
                if (publish) {
                    id = publish(id, state);
                }
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
            try {
                if (poll) {
                    poll(id, state, false);
                    if (lost) {
                        id = publishAgain(id, state);
                    }
                }
            } catch (IOException | RuntimeException e) {
                failure = failure == null ? e : failure;
            }
            state.save();
            pending = outbox.pending(state);
        } catch (IOException | RuntimeException e) {
            failure = failure == null ? e : failure;
        }
        return new RoundResult(id, published, inbox.imported(), pending, inbox.refused(), failure);
    }

    private Duration left() throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0 || stopped.getAsBoolean()) {
            throw new IOException(
                    stopped.getAsBoolean()
                            ? "the store is being closed"
                            : "the time for a round is over; the next goes on");
        }
        return Duration.ofNanos(left);
    }

    private String publish(String id, SyncState state) throws IOException {
        String me = id;
        int refusals = 0;
        List<Chunk> chunks = outbox.next(me, state, BATCH_BYTES);
        while (!chunks.isEmpty()) {
            outbox.tries(chunks, state);
            state.save();
            Ack ack = backend.publish(Publication.of(me, chunks, CommitMessage.of(codec, chunks)), left());
            if (ack.isAccepted()) {
                for (Chunk chunk : chunks) {
                    published += lines(chunk.bytes());
                    outbox.isOut(chunk.stream().name(), state);
                }
                state.save();
                if (bytes(chunks) < BATCH_BYTES / 2) {
                    // That was all; the next round takes what others go on appending.
                    return me;
                }
            } else if (++refusals == TRIES) {
                throw new IOException(
                        "the backend refuses what it should take; another program may use this replica's id");
            } else if (ack.isRetired() || !poll(me, state, true)) {
                me = replica.renew();
                state.forgetOwn();
            }
            chunks = outbox.next(me, state, BATCH_BYTES);
        }
        return me;
    }

    /** What is noted to be there is not, or is other: what there is decides. */
    private String publishAgain(String id, SyncState state) throws IOException {
        String me = id;
        if (!poll(me, state, true)) {
            me = replica.renew();
            state.forgetOwn();
        }
        return publish(me, state);
    }

    private static long bytes(List<Chunk> chunks) {
        return chunks.stream().mapToLong(chunk -> chunk.bytes().length).sum();
    }

    private static long lines(byte[] bytes) {
        long lines = 0;
        for (byte b : bytes) {
            lines += b == '\n' ? 1 : 0;
        }
        return lines;
    }

    /**
     * Imports what is new.
     *
     * @param own whether to read own streams too, and take over how far they are
     * @return false if what stands in them is not what stands in the own logs: the store was copied. Where all that was
     *     noted is lost, or a log is not as it was noted, that log was rewritten, and is published anew
     */
    private boolean poll(String me, SyncState state, boolean own) throws IOException {
        Map<Stream, Head> mine = new HashMap<>();
        Map<Stream, Head> asked = own ? Map.of() : outbox.ends(me, state, check);
        Set<String> others = new TreeSet<>();
        boolean stateLost = state.owns().isEmpty();
        boolean more = true;
        inbox.forgetWhatChanged(state);
        for (int resets = 0; more && resets < TRIES; ) {
            Map<Stream, Head> known = state.known();
            known.putAll(asked);
            known.putAll(mine);
            boolean reset = false;
            Batch batch = backend.poll(known, BATCH_BYTES, left());
            batch.refused().forEach(inbox::refuse);
            more = batch.more();
            for (Chunk chunk : batch.chunks()) {
                if (chunk.stream().replica().equals(me)) {
                    if (own && !outbox.has(chunk)) {
                        others.add(chunk.stream().name());
                    }
                    mine.put(chunk.stream(), chunk.end());
                } else if (!inbox.take(chunk, state)) {
                    reset = true;
                }
            }
            resets += reset ? 1 : 0;
            more = reset || more && !batch.chunks().isEmpty();
        }
        lost = asked.entrySet().stream().anyMatch(stream -> isLost(stream.getKey(), stream.getValue(), mine, state));
        others.removeIf(name -> isBeingReplaced(new Stream(me, name), mine, state));
        if (!stateLost && anyIsAsNoted(others, state)) {
            return false;
        }
        if (own) {
            takeOver(me, mine, state);
        }
        for (String name : others) {
            state.own(
                    name,
                    SyncState.Own.begun(
                            mine.getOrDefault(new Stream(me, name), Head.NONE).generation() + 1));
        }
        return true;
    }

    /**
     * Whether one of these logs is as it was when its publication was noted. One that is not was rewritten since, maybe
     * after this round had begun.
     */
    private boolean anyIsAsNoted(Set<String> names, SyncState state) throws IOException {
        for (String name : names) {
            if (outbox.isAsNoted(name, state)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the last line of an own stream was asked for and did not come. */
    private static boolean isLost(Stream stream, Head asked, Map<Stream, Head> there, SyncState state) {
        SyncState.Own known = state.own(stream.name());
        return known != null && !known.head().equals(asked) && !known.head().equals(there.get(stream));
    }

    /** Whether a higher generation was begun than the one that is there: this store rewrote that log itself. */
    private static boolean isBeingReplaced(Stream stream, Map<Stream, Head> there, SyncState state) {
        SyncState.Own known = state.own(stream.name());
        long generation = there.getOrDefault(stream, Head.NONE).generation();
        return known != null && known.head().generation() > generation;
    }

    /** What the backend has of the own streams is the truth about how far they are out. */
    private void takeOver(String me, Map<Stream, Head> there, SyncState state) {
        for (String name : List.copyOf(state.owns().keySet())) {
            SyncState.Own known = state.own(name);
            if (known != null && !there.containsKey(new Stream(me, name))) {
                state.own(name, SyncState.Own.begun(known.head().generation()));
            }
        }
        for (Stream stream : there.keySet()) {
            SyncState.Own known = state.own(stream.name());
            if (!isBeingReplaced(stream, there, state)) {
                outbox.isOut(stream.name(), state);
            } else if (known != null) {
                // Also where it was replaced there already: the backend was restored from a backup, or is another one.
                state.own(stream.name(), SyncState.Own.begun(known.head().generation()));
            }
        }
    }
}
