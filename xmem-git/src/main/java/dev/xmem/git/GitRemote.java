package dev.xmem.git;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/** A connection to the remote repository. */
interface GitRemote {
    /** Fetches refs, and deletes the local ones that the remote does not have. */
    void fetch(List<String> refspecs, Duration limit) throws IOException;

    /** The refs of the remote with these prefixes, and their commits. */
    Map<String, ObjectId> list(List<String> prefixes, Duration limit) throws IOException;

    /** Moves a ref of the remote from the expected commit to the next one; null expects that the ref does not exist. */
    Pushed push(String ref, @Nullable ObjectId expected, ObjectId next, Duration limit) throws IOException;

    /** The result of a push. */
    enum Pushed {
        /** The ref was moved. */
        DONE,
        /** The ref was not at the expected commit, or it was locked. */
        STALE,
        /** The host rejects refs of this name. */
        REFUSED
    }
}
