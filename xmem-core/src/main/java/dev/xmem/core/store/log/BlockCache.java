package dev.xmem.core.store.log;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one log in memory. The newest blocks are always here, from the first one that was added and as far as
 * the <em>tail window</em> reaches. Older blocks are in a {@link ByteCache} that several logs share. A read that misses
 * both reads only the requested bytes from the file, unless the reads are dense: it then loads the whole block into the
 * cache. They are dense if one begins where the last one ended, or ends where that one began, or if a quarter of the
 * block or of the one beside it was just read: what is loaded costs as much as a quarter of it in single lines. What is
 * mapped before the tail window is read there, and never loaded.
 *
 * <p>One thread adds, any number of threads read. A reader may only read bytes that were added before it learned their
 * position.
 */
final class BlockCache {
    static final int BLOCK_BYTES = 64 << 10;
    private static final int DENSE_BYTES = BLOCK_BYTES / 4;
    private static final int LINE_END_BYTES = 2;

    private final Map<Long, byte[]> tail = new ConcurrentHashMap<>();
    private final int tailBlocks;
    private final ByteCache cache;
    private final ReadStats reads;
    /** The number of the oldest block in the tail window; negative before the first. */
    private volatile long oldest = -1;

    /** The last read of an older block. */
    private volatile Visit visit = new Visit(Long.MIN_VALUE / 2, Long.MIN_VALUE / 2, 0);

    /** The last block from the cache; a sequential reader needs it again. */
    private volatile Last last = new Last(-1, new byte[0]);

    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    private record Last(long number, byte[] block) {}

    /**
     * A read.
     *
     * @param bytes how many bytes were read of the block that it begins in, by it and by those right before it
     */
    private record Visit(long from, long to, int bytes) {
        boolean isBeside(long begin, long end) {
            return Math.abs(begin - to) <= LINE_END_BYTES || Math.abs(from - end) <= LINE_END_BYTES;
        }
    }

    private record Key(BlockCache owner, long number) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.owner == owner && key.number == number;
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(owner) + Long.hashCode(number);
        }
    }

    BlockCache(long tailBytes, ByteCache cache, ReadStats reads) {
        this.tailBlocks = (int) Math.max(1, tailBytes / BLOCK_BYTES);
        this.cache = cache;
        this.reads = reads;
    }

    /**
     * Adds bytes at the end of the log, or again from an earlier offset. Blocks before the tail window are not added.
     */
    void add(long offset, byte[] from, int start, int length) {
        if (oldest < 0) {
            oldest = offset / BLOCK_BYTES;
        }
        long at = offset;
        int done = 0;
        while (done < length) {
            long number = at / BLOCK_BYTES;
            int in = (int) (at % BLOCK_BYTES);
            int count = Math.min(BLOCK_BYTES - in, length - done);
            if (number >= oldest) {
                byte[] known = tail.get(number);
                byte[] block = known == null ? new byte[BLOCK_BYTES] : known;
                if (known == null) {
                    tail.put(number, block);
                }
                System.arraycopy(from, start + done, block, in, count);
            }
            done += count;
            at += count;
            long first = oldest;
            for (; first <= number - tailBlocks; first++) {
                tail.remove(first);
            }
            oldest = first;
        }
    }

    /** Reads a range of the log. */
    byte[] read(FileSystem.Input source, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        read(source, offset, bytes, length);
        return bytes;
    }

    /** Reads a range of the log to the beginning of an array. */
    void read(FileSystem.Input source, long offset, byte[] bytes, int length) throws IOException {
        if (offset + length <= oldest * BLOCK_BYTES && source.readMapped(offset, bytes, 0, length)) {
            reads.loaded.increment();
            return;
        }
        int done = 0;
        boolean older = false;
        boolean dense = false;
        while (done < length) {
            long at = offset + done;
            int in = (int) (at % BLOCK_BYTES);
            int count = Math.min(BLOCK_BYTES - in, length - done);
            byte[] block = tail.get(at / BLOCK_BYTES);
            if (block != null) {
                reads.tail.increment();
            } else {
                dense = older ? dense : isDense(offset, length);
                older = true;
                block = block(source, at / BLOCK_BYTES, dense);
            }
            if (block == null) {
                fill(source, at, bytes, done, count);
            } else {
                System.arraycopy(block, in, bytes, done, count);
            }
            done += count;
        }
    }

    /** Whether a read is one of many that are close together. Notes it. */
    private boolean isDense(long offset, int length) {
        Visit before = visit;
        long apart = Math.abs(offset / BLOCK_BYTES - before.from / BLOCK_BYTES);
        int known = apart == 0 ? before.bytes : 0;
        visit = new Visit(offset, offset + length, Math.min(BLOCK_BYTES, known) + Math.min(BLOCK_BYTES, length));
        return apart <= 1 && before.bytes >= DENSE_BYTES || before.isBeside(offset, offset + length);
    }

    /** An older block in memory, or loaded because the reads are dense; else null. */
    private byte @Nullable [] block(FileSystem.Input source, long number, boolean dense) throws IOException {
        Last known = last;
        if (known.number == number) {
            reads.cached.increment();
            return known.block;
        }
        Key key = new Key(this, number);
        byte[] cached = (byte[]) cache.get(key);
        if (cached != null) {
            reads.cached.increment();
            last = new Last(number, cached);
            return cached;
        }
        reads.loaded.increment();
        if (!dense || !cache.keeps()) {
            return null;
        }
        byte[] loaded = new byte[BLOCK_BYTES];
        fill(source, number * BLOCK_BYTES, loaded, 0, BLOCK_BYTES);
        cache.put(key, loaded, BLOCK_BYTES);
        return loaded;
    }

    private static void fill(FileSystem.Input source, long from, byte[] into, int at, int count) throws IOException {
        if (source.readKnown(from, into, at, count) < count) {
            throw new LogChangedException("the log is shorter than before; try again");
        }
    }
}
