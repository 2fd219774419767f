package dev.xmem.git;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the commit of a publication: only the last segment of each stream changes; all others stay the same objects.
 */
final class CommitWriter {
    private static final int SEGMENT_BYTES = 32 << 10;

    private final ObjectInserter inserter;

    CommitWriter(ObjectInserter inserter) {
        this.inserter = inserter;
    }

    /** A commit on a tip; without a parent if a stream was rewritten, so that its old content becomes unreachable. */
    ObjectId write(@Nullable ObjectId tip, @Nullable ReplicaTree before, Publication own, String note)
            throws IOException {
        Map<String, Head> heads =
                new TreeMap<>(before == null ? Map.of() : before.meta().streams());
        Map<String, ObjectId> trees = new TreeMap<>();
        boolean rewritten = false;
        for (String stream : heads.keySet()) {
            if (before != null) {
                trees.put(stream, tree(before.folders(stream)));
            }
        }
        for (Chunk chunk : own.chunks()) {
            String stream = chunk.stream().name();
            rewritten |= chunk.from() == 0 && heads.containsKey(stream);
            trees.put(stream, stream(chunk.from() == 0 ? null : before, stream, chunk.bytes()));
            heads.put(stream, chunk.end());
        }
        ObjectId parent = rewritten ? null : tip;
        return commit(new ReplicaMeta(own.replica(), false, heads), trees, parent, own.summary() + note);
    }

    /** A commit that marks the replica as retired. */
    ObjectId retire(ObjectId tip, ReplicaTree before, String note) throws IOException {
        Map<String, ObjectId> trees = new TreeMap<>();
        for (String stream : before.meta().streams().keySet()) {
            trees.put(stream, tree(before.folders(stream)));
        }
        ReplicaMeta meta =
                new ReplicaMeta(before.meta().replica(), true, before.meta().streams());
        return commit(meta, trees, tip, "X-MEM: Retire " + before.meta().replica() + note);
    }

    private ObjectId commit(ReplicaMeta meta, Map<String, ObjectId> streams, @Nullable ObjectId parent, String message)
            throws IOException {
        Map<String, ObjectId> root = new TreeMap<>();
        streams.forEach((name, id) -> root.put(name + "/", id));
        root.put(ReplicaMeta.FILE, inserter.insert(Constants.OBJ_BLOB, meta.bytes()));
        TreeFormatter tree = new TreeFormatter();
        root.forEach((name, id) -> {
            boolean folder = name.endsWith("/");
            tree.append(
                    folder ? name.substring(0, name.length() - 1) : name,
                    folder ? FileMode.TREE : FileMode.REGULAR_FILE,
                    id);
        });
        return commit(inserter, inserter.insert(tree), parent, message);
    }

    /** Inserts a commit by xmem, and flushes what was inserted before. */
    static ObjectId commit(ObjectInserter inserter, ObjectId tree, @Nullable ObjectId parent, String message)
            throws IOException {
        CommitBuilder commit = new CommitBuilder();
        PersonIdent person = new PersonIdent("xmem", "xmem@localhost", Instant.now(), ZoneOffset.UTC);
        commit.setAuthor(person);
        commit.setCommitter(person);
        commit.setEncoding(StandardCharsets.UTF_8);
        commit.setMessage(message + "\n");
        commit.setTreeId(tree);
        if (parent != null) {
            commit.setParentId(parent);
        }
        ObjectId id = inserter.insert(commit);
        inserter.flush();
        return id;
    }

    private ObjectId tree(List<ReplicaTree.Item> folders) throws IOException {
        TreeFormatter tree = new TreeFormatter();
        folders.forEach(folder -> tree.append(folder.name(), folder.mode(), folder.id()));
        return inserter.insert(tree);
    }

    private ObjectId stream(@Nullable ReplicaTree before, String stream, byte[] bytes) throws IOException {
        Map<String, ObjectId> folders = new TreeMap<>();
        Map<Integer, ObjectId> segments = new TreeMap<>();
        ByteArrayOutputStream last = new ByteArrayOutputStream();
        int number = 0;
        if (before != null) {
            List<ReplicaTree.Item> items = before.folders(stream);
            items.forEach(item -> folders.put(item.name(), item.id()));
            for (ReplicaTree.Segment segment :
                    items.isEmpty() ? List.<ReplicaTree.Segment>of() : before.segments(items.get(items.size() - 1))) {
                segments.put(segment.number(), segment.id());
                number = segment.number();
            }
            if (!segments.isEmpty()) {
                ReplicaTree.Segment open =
                        new ReplicaTree.Segment(number, segments.getOrDefault(number, ObjectId.zeroId()), 0);
                last.writeBytes(before.bytes(open));
            }
        }
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || i == bytes.length - 1) {
                if (last.size() > 0 && last.size() + i + 1 - start > SEGMENT_BYTES) {
                    segments.put(number++, inserter.insert(Constants.OBJ_BLOB, last.toByteArray()));
                    last.reset();
                }
                last.write(bytes, start, i + 1 - start);
                start = i + 1;
            }
        }
        if (last.size() > 0) {
            segments.put(number, inserter.insert(Constants.OBJ_BLOB, last.toByteArray()));
        }
        putFolders(segments, folders);
        TreeFormatter tree = new TreeFormatter();
        folders.forEach((name, id) -> tree.append(name, FileMode.TREE, id));
        return inserter.insert(tree);
    }

    private void putFolders(Map<Integer, ObjectId> segments, Map<String, ObjectId> folders) throws IOException {
        Map<Integer, TreeFormatter> trees = new TreeMap<>();
        segments.forEach((number, id) -> trees.computeIfAbsent(
                        number / ReplicaTree.PER_FOLDER, folder -> new TreeFormatter())
                .append(
                        String.format(Locale.ROOT, "%02d.jsonl", number % ReplicaTree.PER_FOLDER),
                        FileMode.REGULAR_FILE,
                        id));
        for (Map.Entry<Integer, TreeFormatter> tree : trees.entrySet()) {
            folders.put(String.format(Locale.ROOT, "%06d", tree.getKey()), inserter.insert(tree.getValue()));
        }
    }
}
