package dev.xmem.spi;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A memory that many stores ask and none copies: for a failure, a store asks for the lessons of its family by the
 * context hash. {@code XMem.Builder.readThrough} sets it. A store publishes through a {@link SyncBackend}, and its own
 * entries do not depend on this memory in any way.
 *
 * <p>An implementation must be thread-safe: several recalls ask at once. What it returns is not trusted: a store reads
 * a bounded number of lines of bounded length, takes those of the family that it asked for, and treats them as a
 * peer's.
 */
public interface SharedMemory extends Closeable {
    /** What it is, in logs and statistics. Contains no credentials. */
    String id();

    /**
     * Whether the memory may know a family; false where it certainly does not, or cannot be reached at present. Is
     * called in every recall, and must neither wait nor use the network. The answer may be some seconds old.
     */
    boolean mayKnow(String contextHash);

    /**
     * The best lines of a family: failures and successes, as they are in the logs of their stores, the best first.
     * Empty if there are none.
     *
     * @param limit how long this call may take. It can be longer than the recall waits that caused it; an answer that
     *     comes after that is used from the next recall on
     * @throws IOException if the memory cannot answer; the message contains no credentials
     */
    List<byte[]> lookup(String contextHash, Duration limit) throws IOException;

    /** Why the memory does not answer at present, in one sentence; null if it does. Does not wait. */
    @Nullable String problem();

    /** Releases connections and threads. The store that asks the memory does not close it. */
    @Override
    void close();
}
