package dev.xmem.git;

import org.jspecify.annotations.Nullable;

/** What an export did. Immutable; implemented only by xmem, methods may be added. */
public interface Exported {
    /** Whether there was something to commit, and it is committed. */
    boolean committed();

    /** Whether the remote has it; false also where nothing was to be pushed. */
    boolean pushed();

    /** The commit's message; empty without one. */
    String message();

    /** Why it is committed and not at the remote, although it should be; null if nothing is wrong. */
    @Nullable String problem();
}
