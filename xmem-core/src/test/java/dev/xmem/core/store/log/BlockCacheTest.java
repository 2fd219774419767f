package dev.xmem.core.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads of older blocks: how many bytes come from the file, and which blocks are cached. */
class BlockCacheTest {
    private static final int LENGTH = 40 * BlockCache.BLOCK_BYTES;

    private final byte[] content = new byte[LENGTH];
    private final ByteCache cache = new ByteCache(8L * BlockCache.BLOCK_BYTES);
    private final BlockCache blocks = new BlockCache(BlockCache.BLOCK_BYTES, cache, new ReadStats());
    private long bytesRead;

    private final FileSystem.Input source = new FileSystem.Input() {
        @Override
        public int read(long position, byte[] into, int offset, int length) {
            int count = (int) Math.min(length, content.length - position);
            System.arraycopy(content, (int) position, into, offset, count);
            bytesRead += count;
            return count;
        }

        @Override
        public void close() {}
    };

    BlockCacheTest() {
        new Random(3).nextBytes(content);
        while (!cache.keeps()) {
            Thread.onSpinWait();
        }
    }

    private void assertRead(long offset, int length) throws IOException {
        assertThat(blocks.read(source, offset, length))
                .isEqualTo(Arrays.copyOfRange(content, (int) offset, (int) offset + length));
    }

    @Test
    void read_atDistantOffsets_readsOnlyTheRequestedBytes() throws IOException {
        for (int block = 36; block >= 0; block -= 4) {
            assertRead((long) block * BlockCache.BLOCK_BYTES + 100, 700);
        }
        assertThat(bytesRead).isEqualTo(10 * 700);
    }

    @Test
    void read_aFewLinesOfEachBlock_readsOnlyTheRequestedBytes() throws IOException {
        for (int block = 30; block >= 0; block--) {
            for (int line = 8; line >= 0; line--) {
                assertRead((long) block * BlockCache.BLOCK_BYTES + 7000 * line, 700);
            }
        }
        assertThat(bytesRead).isEqualTo(31 * 9 * 700);
    }

    @Test
    void read_aQuarterOfABlock_loadsItAndThoseBesideIt() throws IOException {
        for (int line = 0; line < 90; line++) {
            assertRead(2000L * line, 700);
        }
        int single = 24; // the next one finds that a quarter was read
        assertThat(bytesRead).isEqualTo(single * 700 + 3L * BlockCache.BLOCK_BYTES);
    }

    @Test
    void read_forwards_readsEachBlockOnce() throws IOException {
        for (long at = 0; at < 4L * BlockCache.BLOCK_BYTES; at += 512) {
            assertRead(at, 512);
        }
        assertThat(bytesRead).isEqualTo(4L * BlockCache.BLOCK_BYTES + 512);
    }

    @Test
    void read_backwards_readsEachBlockOnce() throws IOException {
        for (long at = 4L * BlockCache.BLOCK_BYTES - 512; at >= 0; at -= 512) {
            assertRead(at, 512);
        }
        assertThat(bytesRead).isEqualTo(4L * BlockCache.BLOCK_BYTES + 512);
    }

    @Test
    void read_anywhere_returnsTheBytesOfTheFile() throws IOException {
        blocks.add(LENGTH - 1000, content, LENGTH - 1000, 1000);
        Random random = new Random(4);
        for (int i = 0; i < 2000; i++) {
            int length = random.nextInt(3 * BlockCache.BLOCK_BYTES);
            assertRead(random.nextInt(LENGTH - BlockCache.BLOCK_BYTES - length), length);
        }
        assertRead(LENGTH - 1000, 1000);
    }

    @Test
    void read_beyondTheEnd_reportsAChangedLog() throws IOException {
        assertThatThrownBy(() -> blocks.read(source, LENGTH - 10, 20)).isInstanceOf(LogChangedException.class);
        assertRead(LENGTH - 20, 20 - 1);
    }

    /** The bytes before an offset are mapped. */
    private static final class Mapped implements FileSystem.Input {
        private final FileSystem.Input file;
        private final long mappedTo;
        private int mappedReads;

        Mapped(FileSystem.Input file, long mappedTo) {
            this.file = file;
            this.mappedTo = mappedTo;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            return file.read(position, into, offset, length);
        }

        @Override
        public boolean readMapped(long position, byte[] into, int offset, int length) throws IOException {
            if (position + length > mappedTo) {
                return false;
            }
            mappedReads++;
            System.arraycopy(content(file, position, length), 0, into, offset, length);
            return true;
        }

        private static byte[] content(FileSystem.Input file, long position, int length) throws IOException {
            byte[] bytes = new byte[length];
            file.read(position, bytes, 0, length);
            return bytes;
        }

        @Override
        public void close() {}
    }

    @Test
    void read_mappedBlocks_loadsNoneOfThem() throws IOException {
        blocks.add(LENGTH - 1000, content, LENGTH - 1000, 1000);
        Mapped mapped = new Mapped(source, LENGTH);
        int reads = 0;
        for (long at = 0; at < 4L * BlockCache.BLOCK_BYTES; at += 512) {
            assertThat(blocks.read(mapped, at, 512)).isEqualTo(Arrays.copyOfRange(content, (int) at, (int) at + 512));
            reads++;
        }
        assertThat(mapped.mappedReads).isEqualTo(reads);
        assertThat(bytesRead).isEqualTo(512L * reads);
    }

    @Test
    void read_whatWasAdded_isNotReadFromTheMapping() throws IOException {
        int added = BlockCache.BLOCK_BYTES / 2;
        blocks.add(LENGTH - BlockCache.BLOCK_BYTES, content, LENGTH - BlockCache.BLOCK_BYTES, added);
        Mapped mapped = new Mapped(source, LENGTH);
        int from = LENGTH - BlockCache.BLOCK_BYTES;
        assertThat(blocks.read(mapped, from, 700)).isEqualTo(Arrays.copyOfRange(content, from, from + 700));
        assertThat(mapped.mappedReads).isZero();
        assertThat(bytesRead).isZero();
    }

    @Test
    void read_acrossTheEndOfWhatIsMapped_returnsTheBytesOfTheFile() throws IOException {
        int from = LENGTH - BlockCache.BLOCK_BYTES;
        blocks.add(from, content, from, BlockCache.BLOCK_BYTES);
        int mappedTo = 10 * BlockCache.BLOCK_BYTES;
        Mapped mapped = new Mapped(source, mappedTo);
        for (int at : new int[] {mappedTo - 700, mappedTo - 300, mappedTo, from - 300, from - 700}) {
            assertThat(blocks.read(mapped, at, 700)).isEqualTo(Arrays.copyOfRange(content, at, at + 700));
        }
        assertThat(mapped.mappedReads).isEqualTo(1);
    }

    /** Where nothing was added yet, nothing is known of the tail window. */
    @Test
    void read_beforeAnythingWasAdded_isNotReadFromTheMapping() throws IOException {
        Mapped mapped = new Mapped(source, LENGTH);
        assertThat(blocks.read(mapped, 100, 700)).isEqualTo(Arrays.copyOfRange(content, 100, 800));
        assertThat(mapped.mappedReads).isZero();
    }
}
