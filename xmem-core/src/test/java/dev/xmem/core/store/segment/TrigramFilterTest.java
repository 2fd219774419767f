package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TrigramFilterTest {
    private static final int LINES = 5 * TrigramFilter.BLOCK_LINES + 7;

    @Test
    void blocks_ofEveryText_areTold() throws CorruptSegmentException {
        TrigramFilter.Builder builder = new TrigramFilter.Builder(LINES);
        for (int line = 0; line < LINES; line++) {
            add(builder, line, "common line" + (line == 3 * TrigramFilter.BLOCK_LINES - 1 ? " with zebra" : ""));
        }
        SectionWriter out = new SectionWriter();
        builder.write(out);
        TrigramFilter sealed = new TrigramFilter(SectionFile.of(ByteBuffer.wrap(out.finish())), LINES);
        assertThat(sealed.mayHold("common"))
                .isEqualTo(builder.mayHold("common"))
                .isEqualTo(blocks(0, 6));
        assertThat(sealed.mayHold("zebra")).isEqualTo(builder.mayHold("zebra")).isEqualTo(blocks(2, 3));
        assertThat(sealed.mayHold("quux")).isEqualTo(new BitSet());
        assertThat(sealed.mayHold("ab")).isNull();
    }

    @Test
    void builder_afterAFlush_knowsAllAndGoesOn() {
        TrigramFilter.Builder builder = new TrigramFilter.Builder(LINES);
        add(builder, TrigramFilter.BLOCK_LINES - 1, "zebra");
        assertThat(Objects.requireNonNull(builder.mayHold("zebra"))).isEqualTo(blocks(0, 1));
        add(builder, TrigramFilter.BLOCK_LINES - 1, "gnu");
        add(builder, 3 * TrigramFilter.BLOCK_LINES, "zebra");
        assertThat(builder.mayHold("gnu")).isEqualTo(blocks(0, 1));
        BitSet both = blocks(0, 1);
        both.set(3);
        assertThat(builder.mayHold("zebra")).isEqualTo(both);
    }

    private static void add(TrigramFilter.Builder builder, int line, String text) {
        char[] in = ("##" + text + "##").toCharArray();
        builder.add(line, in, 2, text.length());
    }

    private static BitSet blocks(int from, int to) {
        BitSet blocks = new BitSet();
        blocks.set(from, to);
        return blocks;
    }
}
