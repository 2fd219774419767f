package dev.xmem.core.sync;

import dev.xmem.SyncReport;
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

/**
 * One round of synchronisation: publish, then import, each as far as the time limit allows. Used once, by the thread
 * that holds the sync lock.
 *
 * <p>The sync state is a cache of what the backend has. Where it is missing, or the backend refuses a publication or
 * does not have the last line that the state says was published, the round reads the own streams back and compares them
 * with the own logs. If a log differs although it is unchanged since its publication, another store publishes under the
 * same id: this store is a copy, and takes a new id. If a log was rewritten, it is published as a new generation.
 */
final class SyncRound {
    private static final long BATCH_BYTES = 8L << 20;
    private static final int MAX_TRIES = 4;

    private final Sync sync;
    private final SyncBackend backend;
    private final StreamPublisher publisher;
    private final StreamImporter importer;
    private final long deadline;
    private final BooleanSupplier stopped;
    /** Whether to ask for the last line of each own stream: the backend may be another one than the last time. */
    private final boolean verify;

    private long published;
    private boolean lost;

    /**
     * The result of a round.
     *
     * @param replica the id of this store; empty if it could not be determined
     * @param published the number of published lines
     * @param imported the number of imported lines
     * @param pending the number of own lines that are not published
     * @param refused what the backend delivered and was not imported, a sentence each
     * @param unread the streams that are not read on
     * @param failure the exception that ended the round early; null if there was none
     */
    record Result(
            String replica,
            long published,
            long imported,
            long pending,
            List<String> refused,
            List<SyncReport.Unread> unread,
            @Nullable Exception failure) {}

    SyncRound(Sync sync, StreamImporter importer, boolean verify, Duration limit, BooleanSupplier stopped) {
        this.sync = sync;
        this.backend = sync.backend;
        this.publisher = sync.publisher;
        this.importer = importer;
        this.verify = verify && !backend.abilities().contains(SyncBackend.Ability.WRITE_ONLY);
        this.deadline = System.nanoTime() + limit.toNanos();
        this.stopped = stopped;
    }

    /** Runs the round. A failed publication does not prevent the import. */
    Result run(boolean publish, boolean poll) {
        String id = "";
        long pending = 0;
        @Nullable Exception failure = null;
        List<SyncReport.Unread> unread = List.of();
        try {
            id = sync.replica.id();
            SyncState state = SyncState.load(sync.fileSystem, sync.paths);
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
                        id = poll(id, state, true) ? id : renewId(state);
                        id = publish(id, state);
                    }
                }
            } catch (IOException | RuntimeException e) {
                failure = failure == null ? e : failure;
            }
            state.save();
            unread = state.left();
            unread.forEach(left -> importer.refuse(left.text()));
            pending = publisher.pending(state);
        } catch (IOException | RuntimeException e) {
            failure = failure == null ? e : failure;
        }
        return new Result(id, published, importer.imported, pending, importer.refused(), unread, failure);
    }

    private Duration timeLeft() throws IOException {
        if (stopped.getAsBoolean()) {
            throw new IOException("the store is being closed");
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the time limit of the round is over; the next round continues");
        }
        return Duration.ofNanos(left);
    }

    /** Publishes the own logs. Returns the id of this replica, which is a new one if the backend refuses the old. */
    private String publish(String replica, SyncState state) throws IOException {
        String id = replica;
        int refusals = 0;
        List<Chunk> chunks = publisher.next(id, state, BATCH_BYTES);
        while (!chunks.isEmpty()) {
            publisher.begin(chunks, state);
            state.save();
            Ack ack = backend.publish(Publication.of(id, chunks, CommitMessage.of(chunks)), timeLeft());
            if (ack.isAccepted()) {
                long bytes = 0;
                for (Chunk chunk : chunks) {
                    bytes += chunk.bytes().length;
                    published += StreamPublisher.published(chunk.bytes());
                    publisher.commit(chunk.stream().name(), state);
                }
                state.save();
                if (bytes < BATCH_BYTES / 2) {
                    // That was all. The next round publishes what is appended meanwhile.
                    return id;
                }
            } else if (++refusals == MAX_TRIES) {
                throw new IOException(
                        "the backend refuses a valid publication; another program may use this replica's id");
            } else if (ack.isRetired() || !poll(id, state, true)) {
                id = renewId(state);
            }
            chunks = publisher.next(id, state, BATCH_BYTES);
        }
        return id;
    }

    private String renewId(SyncState state) throws IOException {
        String id = sync.replica.renew();
        state.forgetOwn();
        return id;
    }

    /**
     * Imports the new lines of other replicas.
     *
     * @param own whether to read the own streams as well, and to set the sync state to what the backend has
     * @return false if an own stream differs from a log that is unchanged since its publication: the store is a copy
     */
    private boolean poll(String id, SyncState state, boolean own) throws IOException {
        Map<Stream, Head> received = new HashMap<>();
        Map<Stream, Head> asked = own ? Map.of() : publisher.heads(id, state, verify);
        Set<String> differing = new TreeSet<>();
        boolean stateLost = state.own().isEmpty();
        boolean more = true;
        importer.forgetChangedFiles(state);
        if (backend instanceof DirectorySync folder) {
            folder.unread(state.unread());
        }
        for (int resets = 0; more && resets < MAX_TRIES; ) {
            Map<Stream, Head> known = state.peerHeads();
            known.putAll(asked);
            known.putAll(received);
            boolean reset = false;
            Batch batch = backend.poll(known, BATCH_BYTES, timeLeft());
            batch.refused().forEach(importer::refuse);
            for (Chunk chunk : batch.chunks()) {
                if (chunk.stream().replica().equals(id)) {
                    if (own && !publisher.has(chunk)) {
                        differing.add(chunk.stream().name());
                    }
                    received.put(chunk.stream(), chunk.end());
                } else if (!importer.add(chunk, state)) {
                    reset = true;
                }
            }
            resets += reset ? 1 : 0;
            more = reset || batch.more() && !batch.chunks().isEmpty();
        }
        lost = asked.entrySet().stream().anyMatch(head -> isLost(head.getKey(), head.getValue(), received, state));
        differing.removeIf(name -> isBeingReplaced(new Stream(id, name), received, state));
        for (String name : stateLost ? Set.<String>of() : differing) {
            if (publisher.isUnchanged(name, state)) {
                return false;
            }
        }
        if (own) {
            adopt(id, received, state);
        }
        for (String name : differing) {
            Head head = received.getOrDefault(new Stream(id, name), Head.NONE);
            state.own(name, SyncState.Own.begun(head.generation() + 1));
        }
        return true;
    }

    /** Whether the last line of an own stream was requested and not received. */
    private static boolean isLost(Stream stream, Head asked, Map<Stream, Head> received, SyncState state) {
        SyncState.Own known = state.own(stream.name());
        return known != null && !known.head().equals(asked) && !known.head().equals(received.get(stream));
    }

    /** Whether this store has begun a higher generation than the backend has, since it rewrote the log itself. */
    private static boolean isBeingReplaced(Stream stream, Map<Stream, Head> received, SyncState state) {
        SyncState.Own known = state.own(stream.name());
        long generation = received.getOrDefault(stream, Head.NONE).generation();
        return known != null && known.head().generation() > generation;
    }

    /** Sets the state of the own streams to what the backend has. */
    private void adopt(String id, Map<Stream, Head> received, SyncState state) {
        for (Map.Entry<String, SyncState.Own> known : Map.copyOf(state.own()).entrySet()) {
            Stream stream = new Stream(id, known.getKey());
            // Also if the new generation was published before: the backend was restored from a backup, or is another
            // one.
            if (!received.containsKey(stream) || isBeingReplaced(stream, received, state)) {
                state.own(
                        known.getKey(),
                        SyncState.Own.begun(known.getValue().head().generation()));
            }
        }
        for (Stream stream : received.keySet()) {
            if (!isBeingReplaced(stream, received, state)) {
                publisher.commit(stream.name(), state);
            }
        }
    }
}
