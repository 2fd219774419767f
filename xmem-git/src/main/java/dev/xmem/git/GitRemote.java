package dev.xmem.git;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/** Talks to the remote repository. */
interface GitRemote {
    /** Fetches these, and forgets what is not there any more. */
    void fetch(List<String> refspecs, Duration limit) throws IOException;

    /** The refs of the remote under these prefixes, and where they are. */
    Map<String, ObjectId> list(List<String> prefixes, Duration limit) throws IOException;

    /** Puts a ref of the remote from one commit to another, if it is still there. */
    Pushed push(String ref, @Nullable ObjectId expected, ObjectId next, Duration limit) throws IOException;

    /** How a push ended. */
    enum Pushed {
        /** The ref is where it should be. */
        DONE,
        /** It was not where it was expected. */
        STALE,
        /** The host takes no refs of this name. */
        REFUSED
    }
}
