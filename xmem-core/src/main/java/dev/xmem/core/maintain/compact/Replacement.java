package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The line that replaces another. Where a plan has no room for its bytes, it makes them again. Immutable. */
final class Replacement {
    private final int length;
    private final long digest;
    private final byte @Nullable [] kept;
    private final IoSupplier<byte[]> again;
    private final boolean hashedAlike;

    /**
     * A line.
     *
     * @param line its bytes
     * @param hashedAlike whether it is known to have the values of the line that it replaces in all hashed fields
     */
    Replacement(byte[] line, boolean hashedAlike) {
        this(line, hashedAlike, true, () -> line);
    }

    private Replacement(byte[] line, boolean hashedAlike, boolean keeps, IoSupplier<byte[]> again) {
        this.length = line.length;
        this.digest = LogIndex.digestOf(line);
        this.kept = keeps ? line : null;
        this.again = again;
        this.hashedAlike = hashedAlike;
    }

    /** A line that is made again each time it is needed. */
    static Replacement notKept(byte[] line, boolean hashedAlike, IoSupplier<byte[]> again) {
        return new Replacement(line, hashedAlike, false, again);
    }

    int length() {
        return length;
    }

    boolean hashedAlike() {
        return hashedAlike;
    }

    byte[] bytes() throws IOException {
        if (kept != null) {
            return kept;
        }
        byte[] line = again.get();
        if (LogIndex.digestOf(line) != digest) {
            throw new LogChangedException("a line was changed since the compaction was planned; plan again");
        }
        return line;
    }
}
