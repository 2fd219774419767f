package dev.xmem.git;

import org.jspecify.annotations.Nullable;

/** The result of an export. Immutable and thread-safe; implemented only by xmem, methods may be added. */
public interface Exported {
    /** Whether a commit was created; false if nothing had changed. */
    boolean committed();

    /** Whether a push was made and the remote has the export; false also if there was nothing to push. */
    boolean pushed();

    /** The message of the commit; empty if there is none. */
    String message();

    /** Why the commit could not be pushed; null if nothing failed. */
    @Nullable String problem();
}
