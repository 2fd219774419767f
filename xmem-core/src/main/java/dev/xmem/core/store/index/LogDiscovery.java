package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the logs that a store reads beside those that it appends to: what others published, in {@code
 * peers/<replica>/<kind>.jsonl} or {@code <kind>-….jsonl}, and its own older lines, in {@code archive/<kind>-YYYY-MM.jsonl}. Other files there are
 * none of its business. For one thread at a time.
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

    /** What files are called; made for the first of them, which most stores do not have. */
    private static final class Names {
        static final Pattern PEER_FILE =
                Pattern.compile("(failures|successes|notes|memories)(-[a-z0-9]+)*\\.(jsonl|ndjson)");
        static final Pattern ARCHIVE_FILE = Pattern.compile("(failures|successes)-(\\d{4}-\\d{2})\\.jsonl");
    }

    private final FileSystem disk;
    private final Path root;
    private final Path archive;
    private final Path peers;
    private final boolean peersAreRead;

    /** The folders of a store that lies under a root. */
    public LogDiscovery(FileSystem disk, Path root, Path archive, Path peers, boolean peersAreRead) {
        this.peersAreRead = peersAreRead;
        this.disk = disk;
        this.root = root;
        this.archive = archive;
        this.peers = peers;
    }

    /** The folder of archives. */
    Path archive() {
        return archive;
    }

    /** The folder in which each replica has one. */
    Path peers() {
        return peers;
    }

    /** The file that holds the lines of a kind and a month. */
    public static String archiveName(Entry.Kind kind, YearMonth month) {
        return (kind == Entry.Kind.FAILURE ? "failures-" : "successes-") + month + ".jsonl";
    }

    /** One's own older lines, the newest month first. */
    public List<LogDescriptor> archives() throws IOException {
        List<LogDescriptor> parts = new ArrayList<>();
        for (Path file : disk.list(archive)) {
            Matcher name = Names.ARCHIVE_FILE.matcher(String.valueOf(file.getFileName()));
            if (name.matches() && confined(file)) {
                Entry.Kind kind = name.group(1).equals("failures") ? Entry.Kind.FAILURE : Entry.Kind.SUCCESS;
                addArchive(parts, kind, name.group(2), file);
            }
        }
        if (parts.size() > 1) {
            parts.sort(Comparator.comparingLong(LogDescriptor::fromMillis)
                    .reversed()
                    .thenComparing(LogDescriptor::kind));
        }
        return parts;
    }

    private static void addArchive(List<LogDescriptor> parts, Entry.Kind kind, String month, Path file) {
        try {
            parts.add(LogDescriptor.archive(kind, YearMonth.parse(month), file));
        } catch (DateTimeException e) {
            // a thirteenth month: a file of somebody else
        }
    }

    /** The folders of the replicas. */
    List<Path> replicas() throws IOException {
        return disk.list(peers);
    }

    /** What others published, by replica. */
    List<LogDescriptor> published() throws IOException {
        List<LogDescriptor> parts = new ArrayList<>();
        for (Path replica : peersAreRead ? replicas() : List.<Path>of()) {
            for (Path file : disk.list(replica)) {
                Matcher name = Names.PEER_FILE.matcher(String.valueOf(file.getFileName()));
                Entry.Kind kind = name.matches() ? PEER_FILES.get(name.group(1)) : null;
                if (kind != null && confined(file)) {
                    parts.add(LogDescriptor.peer(kind, String.valueOf(replica.getFileName()), file));
                }
            }
        }
        return parts;
    }

    /** What leads out of the store by a symbolic link is not read; {@code verify} tells of it. */
    private boolean confined(Path file) {
        try {
            disk.confine(root, file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
