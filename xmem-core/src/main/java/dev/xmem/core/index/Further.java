package dev.xmem.core.index;

import dev.xmem.core.file.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which logs there are beside the hot ones, as far as the folders were looked at. Listed by one thread at a time. */
public final class Further {
    private final Shelves shelves;
    private final FolderWatch watch;
    private volatile boolean listed;
    private volatile List<Part> peers = List.of();
    private volatile List<Part> archives = List.of();

    /** The further logs in these folders. */
    public Further(Shelves shelves, Disk disk) {
        this.shelves = shelves;
        this.watch = new FolderWatch(disk);
    }

    /** Whether a look at the folders says that there may be others now. */
    boolean changed() throws IOException {
        return !listed || watch.changed();
    }

    /** Lists the folders. */
    void list() throws IOException {
        List<Path> folders = new ArrayList<>(shelves.replicas());
        folders.add(shelves.peers());
        folders.add(shelves.archive());
        watch.look(folders);
        peers = shelves.published();
        archives = shelves.archives();
        listed = true;
    }

    /** The logs of peers. */
    List<Part> peers() {
        return peers;
    }

    /** The archives. */
    List<Part> archives() {
        return archives;
    }
}
