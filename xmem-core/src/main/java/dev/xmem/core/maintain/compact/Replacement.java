package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The line that replaces another. Where a plan has no room for its bytes, it makes them again. Immutable. */
final class Replacement {
    private final int length;
    private final int others;
    private final long digest;
    private final byte @Nullable [] kept;
    private final @Nullable IoSupplier<byte[]> again;
    private final boolean hashedAlike;
    private final long occurrences;

    private Replacement(
            byte[] line,
            int others,
            boolean hashedAlike,
            long occurrences,
            boolean keeps,
            @Nullable IoSupplier<byte[]> again) {
        this.length = line.length;
        this.others = others;
        this.digest = LogIndex.digestOf(line);
        this.kept = keeps ? line : null;
        this.again = again;
        this.hashedAlike = hashedAlike;
        this.occurrences = occurrences;
    }

    /** A line in place of one. */
    static Replacement of(byte[] line) {
        return new Replacement(line, 0, false, 0, true, null);
    }

    /**
     * A merged line.
     *
     * @param line its bytes
     * @param others how many lines it covers besides the one that it replaces
     * @param hashedAlike whether it is known to have the values of the line that it replaces in all hashed fields
     * @param occurrences how often it happened, if the index need not parse it, see {@link
     *     LogIndex.CarriedLines.Replaced}; else 0
     * @param again makes the bytes each time they are needed; null if they are kept
     */
    static Replacement merged(
            byte[] line, int others, boolean hashedAlike, long occurrences, @Nullable IoSupplier<byte[]> again) {
        return new Replacement(line, others, hashedAlike, occurrences, again == null, again);
    }

    int length() {
        return length;
    }

    int others() {
        return others;
    }

    boolean isHashedAlike() {
        return hashedAlike;
    }

    /** Whether the index has all its facts from the lines that it is made of. */
    boolean isJoined() {
        return occurrences > 0;
    }

    /** The merged line as the index carries it over: the line of the new file with this ordinal. */
    LogIndex.CarriedLines.Replaced at(int ordinal) {
        return new LogIndex.CarriedLines.Replaced(ordinal, length, digest, occurrences);
    }

    byte[] bytes() throws IOException {
        if (kept != null) {
            return kept;
        }
        byte[] line = again == null ? new byte[0] : again.get();
        if (LogIndex.digestOf(line) != digest) {
            throw new LogChangedException("a line was changed since the compaction was planned; plan again");
        }
        return line;
    }
}
