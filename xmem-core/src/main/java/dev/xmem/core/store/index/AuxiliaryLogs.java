package dev.xmem.core.store.index;

import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Which logs there are beside the hot ones, as far as the folders were looked at. Listed by one thread at a time. */
public final class AuxiliaryLogs {
    private final LogDiscovery shelves;
    private final DirectoryWatch watch;
    private volatile boolean listed;
    private volatile List<LogDescriptor> peers = List.of();
    private volatile List<LogDescriptor> archives = List.of();

    /** The further logs in these folders. */
    public AuxiliaryLogs(LogDiscovery shelves, FileSystem disk) {
        this.shelves = shelves;
        this.watch = new DirectoryWatch(disk);
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
    List<LogDescriptor> peers() {
        return peers;
    }

    /** The archives. */
    List<LogDescriptor> archives() {
        return archives;
    }
}
