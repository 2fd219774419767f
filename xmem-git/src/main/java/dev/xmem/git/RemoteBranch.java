package dev.xmem.git;

import dev.xmem.core.ExportFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.jspecify.annotations.Nullable;

/**
 * Exports to a remote branch without a clone: writes the objects of a commit, and pushes it if the branch has not
 * moved.
 */
final class RemoteBranch implements GitExport.Target {
    private static final String FETCHED_REFS = "refs/exported/";
    private static final int MAX_LOOSE_OBJECTS = 6700;

    private final Path folder;
    private final GitSyncBackend.Builder remote;
    private final String branch;
    private final ExportState state;

    RemoteBranch(Path store, GitSyncBackend.Builder remote, String branch, ExportState state) {
        this.folder = store.resolve(".xmem").resolve("git-export");
        this.remote = remote;
        this.branch = branch;
        this.state = state;
    }

    /** An entry of a tree. */
    private record Item(FileMode mode, ObjectId id) {}

    @Override
    public Exported export(Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        try (Repository repository = GitSyncBackend.openRepository(folder)) {
            GitRemote gitRemote = remote.connect(repository);
            for (int tries = 0; tries < GitExport.TRIES; tries++) {
                ExportResult done = tryExport(repository, gitRemote, deadline);
                if (done != null) {
                    collectGarbage(repository);
                    return done;
                }
            }
            throw new IOException("other writers pushed to " + branch + " before each attempt; export again");
        }
    }

    /** One attempt; null if another writer pushed first. */
    private @Nullable ExportResult tryExport(Repository repository, GitRemote gitRemote, long deadline)
            throws IOException {
        ObjectId tip = tip(repository, gitRemote, GitExport.timeLeft(deadline));
        try (ObjectReader reader = repository.newObjectReader();
                ObjectInserter inserter = repository.newObjectInserter()) {
            Map<String, Item> root = items(reader, tip == null ? null : tree(reader, tip));
            Item data = root.get(GitExport.FOLDER);
            if (data != null && !FileMode.TREE.equals(data.mode)) {
                throw new IOException(GitExport.FOLDER + " is not a folder on the branch " + branch);
            }
            Map<String, Item> files = items(reader, data == null ? null : data.id);
            ExportFiles next = state.files(logs(reader, files));
            state.begin(next);
            if (!put(next, files, reader, inserter)) {
                state.end(next);
                return ExportResult.NOTHING;
            }
            root.put(GitExport.FOLDER, new Item(FileMode.TREE, inserter.insert(formatted(files))));
            ObjectId commit = CommitWriter.commit(inserter, inserter.insert(formatted(root)), tip, next.message());
            GitRemote.Pushed pushed =
                    gitRemote.push(Constants.R_HEADS + branch, tip, commit, GitExport.timeLeft(deadline));
            if (pushed == GitRemote.Pushed.REFUSED) {
                throw new IOException("the host refuses the branch " + branch);
            }
            if (pushed == GitRemote.Pushed.STALE) {
                return null;
            }
            state.end(next);
            return new ExportResult(true, true, next.message(), null);
        }
    }

    /** The commit of the remote's branch; null if the branch does not exist. */
    private @Nullable ObjectId tip(Repository repository, GitRemote gitRemote, Duration limit) throws IOException {
        RefFetcher.delete(repository, FETCHED_REFS + branch);
        try {
            gitRemote.fetch(List.of("+" + Constants.R_HEADS + branch + ":" + FETCHED_REFS + branch), limit);
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains("couldn't find remote ref") && !message.contains("does not have")) {
                throw e;
            }
        }
        Ref ref = repository.exactRef(FETCHED_REFS + branch);
        return ref == null ? null : ref.getObjectId();
    }

    /** Packs the loose objects if there are several thousand, estimated from one folder as git does. */
    private void collectGarbage(Repository repository) throws IOException {
        String[] sample = folder.resolve("objects").resolve("17").toFile().list();
        if (sample != null && sample.length > MAX_LOOSE_OBJECTS / 256) {
            try {
                Git.wrap(repository).gc().call();
            } catch (GitAPIException e) {
                throw new IOException("the garbage collection of the export's repository failed", e);
            }
        }
    }

    private static ObjectId tree(ObjectReader reader, ObjectId commit) throws IOException {
        try (RevWalk walk = new RevWalk(reader)) {
            RevCommit parsed = walk.parseCommit(commit);
            return parsed.getTree().getId();
        }
    }

    private static Map<String, Item> items(ObjectReader reader, @Nullable ObjectId tree) throws IOException {
        Map<String, Item> items = new TreeMap<>();
        if (tree != null) {
            CanonicalTreeParser parser = new CanonicalTreeParser();
            for (parser.reset(reader, tree); !parser.eof(); parser.next()) {
                items.put(parser.getEntryPathString(), new Item(parser.getEntryFileMode(), parser.getEntryObjectId()));
            }
        }
        return items;
    }

    private static Map<String, byte[]> logs(ObjectReader reader, Map<String, Item> files) throws IOException {
        Map<String, byte[]> logs = new TreeMap<>();
        for (String name : GitExport.LOGS) {
            byte[] bytes = read(reader, files.get(name));
            if (bytes != null) {
                logs.put(name, bytes);
            }
        }
        return logs;
    }

    /** A regular file; null if there is none. */
    private static byte @Nullable [] read(ObjectReader reader, @Nullable Item item) throws IOException {
        if (item == null || (item.mode.getBits() & FileMode.TYPE_MASK) != FileMode.TYPE_FILE) {
            return null;
        }
        if (reader.getObjectSize(item.id, Constants.OBJ_BLOB) > GitExport.MAX_FILE_BYTES) {
            throw new IOException("a file on the branch is larger than " + GitExport.MAX_FILE_BYTES + " bytes");
        }
        return reader.open(item.id).getBytes();
    }

    /** Puts the new files into the folder; returns whether any of them changed. */
    private static boolean put(ExportFiles next, Map<String, Item> files, ObjectReader reader, ObjectInserter inserter)
            throws IOException {
        Map<String, byte[]> newFiles = new TreeMap<>(next.files());
        newFiles.put(GitExport.ATTRIBUTES, GitExport.attributes(read(reader, files.get(GitExport.ATTRIBUTES))));
        boolean changed = false;
        for (Map.Entry<String, byte[]> file : newFiles.entrySet()) {
            ObjectId id = inserter.insert(Constants.OBJ_BLOB, file.getValue());
            Item before = files.put(file.getKey(), new Item(FileMode.REGULAR_FILE, id));
            changed |= before == null || !before.id.equals(id);
        }
        return changed;
    }

    /** A tree object; git sorts folders as if their names ended with a slash. */
    private static TreeFormatter formatted(Map<String, Item> items) {
        Map<String, Map.Entry<String, Item>> sorted = new TreeMap<>((a, b) ->
                Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
        for (Map.Entry<String, Item> item : items.entrySet()) {
            sorted.put(item.getKey() + (FileMode.TREE.equals(item.getValue().mode) ? "/" : ""), item);
        }
        TreeFormatter tree = new TreeFormatter();
        sorted.values().forEach(item -> tree.append(item.getKey(), item.getValue().mode, item.getValue().id));
        return tree;
    }
}
