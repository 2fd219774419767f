package dev.xmem.benchmarks.sync;

import dev.xmem.spi.SyncBackend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.jspecify.annotations.Nullable;

/**
 * The alternative design: one branch that all machines push to. It fetches, joins in memory, commits on the fetched
 * tip and pushes; a lost race is retried after a pause with jitter. This is the most favourable variant: one file per
 * machine, so a join only keeps the files of the others, and the same batching worker as xmem.
 */
final class SharedBranch implements SyncBackend {
    private static final String BRANCH = "refs/heads/memory";
    private static final String SEEN = "refs/seen/memory";
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Repository repository;
    private final URIish remote;
    private final BackendCounters counters;
    private final Random random = new Random();

    SharedBranch(Path folder, Path remote, BackendCounters counters) throws IOException {
        this.counters = counters;
        this.repository =
                new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).build();
        if (!Files.isDirectory(folder.resolve("objects"))) {
            repository.create(true);
        }
        try {
            this.remote = new URIish(remote.toString());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    @Override
    public String id() {
        return "one-branch";
    }

    private Transport open() throws IOException {
        Transport transport = Transport.open(repository, remote);
        transport.setTimeout(30);
        transport.setTagOpt(TagOpt.NO_TAGS);
        return transport;
    }

    private @Nullable ObjectId fetch() throws IOException {
        try (Transport transport = open()) {
            transport.fetch(NullProgressMonitor.INSTANCE, List.of(new RefSpec("+" + BRANCH + ":" + SEEN)));
        } catch (TransportException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains("Nothing to fetch") && !message.contains("does not have")) {
                throw e;
            }
        }
        Ref ref = repository.exactRef(SEEN);
        return ref == null ? null : ref.getObjectId();
    }

    private static String name(Stream stream, long generation) {
        return stream.replica() + "." + stream.name() + "." + generation;
    }

    private Map<String, ObjectId> files(ObjectReader reader, @Nullable ObjectId tip) throws IOException {
        Map<String, ObjectId> files = new TreeMap<>();
        if (tip != null) {
            try (RevWalk walk = new RevWalk(reader)) {
                CanonicalTreeParser tree = new CanonicalTreeParser();
                for (tree.reset(reader, walk.parseCommit(tip).getTree()); !tree.eof(); tree.next()) {
                    files.put(tree.getEntryPathString(), tree.getEntryObjectId());
                }
            }
        }
        return files;
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            ObjectId tip = fetch();
            try (ObjectReader reader = repository.newObjectReader();
                    ObjectInserter inserter = repository.newObjectInserter()) {
                Map<String, ObjectId> files = files(reader, tip);
                for (Chunk chunk : own.chunks()) {
                    if (!append(chunk, files, reader, inserter)) {
                        return Ack.refused();
                    }
                }
                counters.pushes.increment();
                if (push(tip, commit(inserter, files, tip, own.summary()))) {
                    return Ack.accepted();
                }
            }
            counters.races.increment();
            if (System.nanoTime() > deadline) {
                throw new IOException("lost every push race until the deadline");
            }
            try {
                Thread.sleep(1 + random.nextInt((int) pause));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private static boolean append(
            Chunk chunk, Map<String, ObjectId> files, ObjectReader reader, ObjectInserter inserter) throws IOException {
        String name = name(chunk.stream(), chunk.generation());
        ObjectId there = files.get(name);
        byte[] before = there == null ? new byte[0] : reader.open(there).getBytes();
        if (before.length != chunk.from()) {
            return false;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(before);
        bytes.writeBytes(chunk.bytes());
        files.put(name, inserter.insert(Constants.OBJ_BLOB, bytes.toByteArray()));
        return true;
    }

    private static ObjectId commit(
            ObjectInserter inserter, Map<String, ObjectId> files, @Nullable ObjectId tip, String message)
            throws IOException {
        TreeFormatter tree = new TreeFormatter();
        files.forEach((name, id) -> tree.append(name, FileMode.REGULAR_FILE, id));
        CommitBuilder commit = new CommitBuilder();
        PersonIdent person = new PersonIdent("peer", "peer@localhost", Instant.now(), ZoneOffset.UTC);
        commit.setAuthor(person);
        commit.setCommitter(person);
        commit.setEncoding(StandardCharsets.UTF_8);
        commit.setMessage(message);
        commit.setTreeId(inserter.insert(tree));
        if (tip != null) {
            commit.setParentId(tip);
        }
        ObjectId id = inserter.insert(commit);
        inserter.flush();
        return id;
    }

    private boolean push(@Nullable ObjectId tip, ObjectId next) throws IOException {
        try (Transport transport = open()) {
            RemoteRefUpdate update = new RemoteRefUpdate(
                    repository, next.name(), next, BRANCH, false, null, tip == null ? ObjectId.zeroId() : tip);
            transport.push(NullProgressMonitor.INSTANCE, List.of(update));
            RemoteRefUpdate.Status status = update.getStatus();
            return status == RemoteRefUpdate.Status.OK || status == RemoteRefUpdate.Status.UP_TO_DATE;
        }
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        ObjectId tip = fetch();
        try (ObjectReader reader = repository.newObjectReader()) {
            for (Map.Entry<String, ObjectId> file : files(reader, tip).entrySet()) {
                String[] parts = file.getKey().split("\\.");
                Stream stream = new Stream(parts[0], parts[1]);
                Head head = known.getOrDefault(stream, Head.NONE);
                long generation = Long.parseLong(parts[2]);
                long from = generation > head.generation() ? 0 : head.position();
                long size = reader.getObjectSize(file.getValue(), Constants.OBJ_BLOB);
                if (generation >= head.generation() && size > from) {
                    byte[] bytes = reader.open(file.getValue()).getBytes();
                    chunks.add(Chunk.of(stream, generation, from, Arrays.copyOfRange(bytes, (int) from, bytes.length)));
                }
            }
        }
        return Batch.of(chunks, List.of(), false);
    }

    @Override
    public void close() {
        repository.close();
    }
}
