package dev.xmem.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.jspecify.annotations.Nullable;

/**
 * The tree of one replica's commit: {@code meta.json}, and the segments {@code <stream>/<six digits>/<two
 * digits>.jsonl} of 32 KiB, a hundred in each folder. Nothing is checked out: objects are read after a check of their
 * type and size. Only regular files at such paths are read.
 */
final class ReplicaTree {
    static final int PER_FOLDER = 100;
    private static final long MAX_TREE_BYTES = 8L << 20;
    private static final long MAX_SEGMENT_BYTES = 64L << 20;

    private final ObjectReader reader;
    private final ReplicaMeta meta;
    private final List<String> unexpected = new ArrayList<>();
    private final Map<String, ObjectId> streams = new TreeMap<>();

    private ReplicaTree(ObjectReader reader, ObjectId root) throws IOException {
        this.reader = reader;
        byte[] file = null;
        for (Item item : items(root)) {
            if (item.name.equals(ReplicaMeta.FILE) && item.isFile()) {
                file = bytes(item.id, ReplicaMeta.MAX_BYTES);
            } else if (dev.xmem.spi.SyncBackend.Stream.isName(item.name) && item.isFolder()) {
                streams.put(item.name, item.id);
            } else {
                unexpected.add(item.description());
            }
        }
        if (file == null) {
            throw new NotPublishedException();
        }
        this.meta = ReplicaMeta.of(file);
    }

    static ReplicaTree of(ObjectReader reader, ObjectId commit) throws IOException {
        try (RevWalk walk = new RevWalk(reader)) {
            if (reader.getObjectSize(commit, ObjectReader.OBJ_ANY) > MAX_TREE_BYTES) {
                throw new IOException("has a commit that is too large");
            }
            RevCommit parsed = walk.parseCommit(commit);
            return new ReplicaTree(reader, parsed.getTree().getId());
        }
    }

    /**
     * The tree of the own ref; null if there is none. A ref that something else was pushed over counts as missing, so
     * that the owner publishes everything again; its push still expects exactly that commit.
     */
    static @Nullable ReplicaTree ofOwn(ObjectReader reader, @Nullable ObjectId tip) throws IOException {
        try {
            return tip == null ? null : of(reader, tip);
        } catch (NotPublishedException e) {
            return null;
        }
    }

    private static final class NotPublishedException extends IOException {
        private static final long serialVersionUID = 1;

        NotPublishedException() {
            super("has no meta.json");
        }
    }

    /** An entry of a tree. */
    record Item(String name, FileMode mode, ObjectId id) {
        boolean isFile() {
            return FileMode.REGULAR_FILE.equals(mode);
        }

        boolean isFolder() {
            return FileMode.TREE.equals(mode);
        }

        String description() {
            String kind = FileMode.SYMLINK.equals(mode)
                    ? "a symbolic link"
                    : FileMode.GITLINK.equals(mode) ? "a submodule" : "nothing that belongs there";
            String plain = name.replaceAll("[^A-Za-z0-9._-]", "?");
            return plain.substring(0, Math.min(60, plain.length())) + " is " + kind;
        }
    }

    /** A segment of a stream. */
    record Segment(int number, ObjectId id, long size) {}

    ReplicaMeta meta() {
        return meta;
    }

    /** The entries of the tree that were not read, a sentence each. */
    List<String> unexpected() {
        return unexpected;
    }

    private List<Item> items(ObjectId tree) throws IOException {
        List<Item> items = new ArrayList<>();
        CanonicalTreeParser parser = new CanonicalTreeParser();
        parser.reset(bytes(tree, MAX_TREE_BYTES));
        for (; !parser.eof(); parser.next()) {
            items.add(new Item(parser.getEntryPathString(), parser.getEntryFileMode(), parser.getEntryObjectId()));
        }
        return items;
    }

    byte[] bytes(ObjectId id, long most) throws IOException {
        ObjectLoader loader = reader.open(id);
        if (loader.getSize() > most) {
            throw new IOException("has an object of " + loader.getSize() + " bytes, which is too large");
        }
        return loader.getCachedBytes((int) most);
    }

    byte[] bytes(Segment segment) throws IOException {
        return bytes(segment.id, MAX_SEGMENT_BYTES);
    }

    /** The folders of a stream, in order. */
    List<Item> folders(String stream) throws IOException {
        ObjectId tree = streams.get(stream);
        return tree == null ? List.of() : matching(items(tree), "\\d{6}", true);
    }

    /** The segments in a folder, in order. */
    List<Segment> segments(Item folder) throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (Item file : matching(items(folder.id), "\\d{2}\\.jsonl", false)) {
            int number = Integer.parseInt(folder.name) * PER_FOLDER + Integer.parseInt(file.name.substring(0, 2));
            segments.add(new Segment(number, file.id, reader.getObjectSize(file.id, Constants.OBJ_BLOB)));
        }
        return segments;
    }

    private List<Item> matching(List<Item> items, String form, boolean folders) {
        List<Item> kept = new ArrayList<>();
        for (Item item : items) {
            boolean fits = item.name.matches(form) && (folders ? item.isFolder() : item.isFile());
            if (fits) {
                kept.add(item);
            } else {
                unexpected.add(item.description());
            }
        }
        return kept;
    }
}
