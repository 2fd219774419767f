package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the logs that a store reads besides the hot ones: those that peers published, in
 * {@code peers/<replica>/<kind>.jsonl} or {@code <kind>-….jsonl}, and its own archives, in
 * {@code archive/<kind>-YYYY-MM.jsonl}. Other files are ignored. One thread at a time lists the folders; any thread may
 * ask.
 */
public final class LogDiscovery {
    private static final Map<String, Entry.Kind> PEER_FILES = Map.of(
            "failures",
            Entry.Kind.FAILURE,
            "successes",
            Entry.Kind.SUCCESS,
            "notes",
            Entry.Kind.NOTE,
            "memories",
            Entry.Kind.DIRECTIVE);

    private static final String MERGED = "peers-";

    /** Compiled when the first such file is found; most stores have none. */
    private static final class Names {
        static final Pattern PEER_FILE =
                Pattern.compile("(failures|successes|notes|memories)(-[a-z0-9]+)*\\.(jsonl|ndjson)");
        static final Pattern ARCHIVE_FILE = Pattern.compile("(failures|successes)-(\\d{4}-\\d{2})\\.jsonl");
    }

    /** The state of a folder when it was listed. */
    private record Seen(@Nullable Object key, long modifiedMillis, boolean settled) {}

    private final FileSystem files;
    private final Path root;
    private final Path archive;
    private final Path peers;
    private final Path segments;
    private final boolean peersAreRead;
    private final FolderNames data;
    private volatile @Nullable Map<Path, Seen> seen;
    private final MergedFile.Pace pace = new MergedFile.Pace();
    private final Map<Entry.Kind, MergedFile> merged = new ConcurrentHashMap<>();
    private volatile List<LogDescriptor> members = List.of();
    private volatile List<LogDescriptor> published = List.of();
    private volatile List<LogDescriptor> archived = List.of();

    /** The folders of a store below a root; those of archives and peers are in {@code data}. */
    public LogDiscovery(
            FileSystem files, Path root, Path data, Path archive, Path peers, Path segments, boolean peersAreRead) {
        this.files = files;
        this.data = new FolderNames(files, data);
        this.root = root;
        this.archive = archive;
        this.peers = peers;
        this.peersAreRead = peersAreRead;
        this.segments = segments;
    }

    private List<LogDescriptor> members(Entry.Kind kind) {
        List<LogDescriptor> some = new ArrayList<>();
        for (LogDescriptor log : members) {
            if (log.kind() == kind) {
                some.add(log);
            }
        }
        return List.copyOf(some);
    }

    private static String name(Entry.Kind kind) {
        return MERGED + kind.name().toLowerCase(Locale.ROOT);
    }

    /** The name of the archive of a kind and a month. */
    public static String archiveName(Entry.Kind kind, YearMonth month) {
        return (kind == Entry.Kind.FAILURE ? "failures-" : "successes-") + month + ".jsonl";
    }

    /** What is in the folder of the logs now; null if one look cannot tell. */
    FolderNames.@Nullable Listing data() throws IOException {
        return data.now();
    }

    /**
     * Whether a file may have been added or removed since the folders were listed, by a stat of each folder.
     *
     * @param now what is in the folder of the logs
     */
    boolean changed(FolderNames.@Nullable Listing now) throws IOException {
        Map<Path, Seen> listed = seen;
        if (listed == null) {
            return true;
        }
        boolean due = pace.isDue(listed.size());
        long begin = System.nanoTime();
        for (Map.Entry<Path, Seen> folder : listed.entrySet()) {
            if (!due && peers.equals(folder.getKey().getParent())) {
                continue;
            }
            Seen before = folder.getValue();
            boolean absent =
                    before.key == null && (now != null && now.lacks(folder.getKey()) || !files.exists(folder.getKey()));
            Seen after = absent ? before : seen(folder.getKey());
            if (!before.settled
                    || !Objects.equals(after.key, before.key)
                    || after.modifiedMillis != before.modifiedMillis) {
                return true;
            }
        }
        if (due) {
            pace.took(begin);
        }
        return false;
    }

    /** The next look at the logs of peers reads the state of every file. */
    public void expire() {
        pace.expire();
        for (MergedFile read : merged.values()) {
            read.expire();
        }
    }

    private Seen seen(Path folder) throws IOException {
        FileSystem.Stat stat = files.stat(folder);
        return stat == null
                ? new Seen(null, 0, true)
                : new Seen(stat.key(), stat.modifiedMillis(), FolderNames.isSettled(stat));
    }

    /** Lists the folders. A file that is added meanwhile shows as a change afterwards. */
    void list() throws IOException {
        List<Path> replicas = files.list(peers);
        List<Path> folders = new ArrayList<>(replicas);
        folders.add(peers);
        folders.add(archive);
        Map<Path, Seen> states = new HashMap<>();
        for (Path folder : folders) {
            states.put(folder, seen(folder));
        }
        List<LogDescriptor> ofPeers = new ArrayList<>();
        for (Path replica : peersAreRead ? replicas : List.<Path>of()) {
            addPublished(replica, ofPeers);
        }
        members = List.copyOf(ofPeers);
        List<LogDescriptor> byKind = new ArrayList<>();
        for (Entry.Kind kind : Entry.Kind.values()) {
            if (!members(kind).isEmpty()) {
                byKind.add(LogDescriptor.peers(kind, peers.resolve(name(kind))));
            }
        }
        published = List.copyOf(byKind);
        archived = archives();
        seen = Map.copyOf(states);
    }

    private void addPublished(Path replica, List<LogDescriptor> into) throws IOException {
        for (Path file : files.list(replica)) {
            Matcher name = Names.PEER_FILE.matcher(String.valueOf(file.getFileName()));
            Entry.Kind kind = name.matches() ? PEER_FILES.get(name.group(1)) : null;
            if (kind != null && confined(file)) {
                into.add(LogDescriptor.peer(kind, String.valueOf(replica.getFileName()), file));
            }
        }
    }

    /** The logs of peers that were there when the folders were listed, the owners in order. */
    public List<LogDescriptor> members() {
        return members;
    }

    /** The logs of a kind of all peers as one file. */
    public LogFile.Parts merged(Entry.Kind kind) {
        return merged.computeIfAbsent(
                kind, k -> new MergedFile(files, () -> members(k), segments.resolve(name(k) + ".chunks")));
    }

    /** The logs of peers that were there when the folders were listed: one for each kind. */
    List<LogDescriptor> published() {
        return published;
    }

    /** Whether there is no log with a path any more: no file, and no published log of a kind that are read as one. */
    boolean isGone(Path log) throws IOException {
        boolean ofPeers = peers.equals(log.getParent());
        return ofPeers
                ? peersAreRead && published.stream().noneMatch(known -> log.equals(known.file()))
                : !files.exists(log);
    }

    /** The archives that were there when the folders were listed, the newest month first. */
    List<LogDescriptor> archived() {
        return archived;
    }

    /** The archives that are there now, the newest month first. */
    public List<LogDescriptor> archives() throws IOException {
        List<LogDescriptor> logs = new ArrayList<>();
        for (Path file : files.list(archive)) {
            Matcher name = Names.ARCHIVE_FILE.matcher(String.valueOf(file.getFileName()));
            if (name.matches() && confined(file)) {
                Entry.Kind kind = name.group(1).equals("failures") ? Entry.Kind.FAILURE : Entry.Kind.SUCCESS;
                addArchive(logs, kind, name.group(2), file);
            }
        }
        if (logs.size() > 1) {
            logs.sort(Comparator.comparingLong(LogDescriptor::fromMillis)
                    .reversed()
                    .thenComparing(LogDescriptor::kind));
        }
        return logs;
    }

    private static void addArchive(List<LogDescriptor> logs, Entry.Kind kind, String month, Path file) {
        try {
            logs.add(LogDescriptor.archive(kind, YearMonth.parse(month), file));
        } catch (DateTimeException e) {
            // a thirteenth month: no archive
        }
    }

    /** A file outside the store, behind a symbolic link, is not read; {@code verify} reports it. */
    private boolean confined(Path file) {
        try {
            files.confine(root, file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
