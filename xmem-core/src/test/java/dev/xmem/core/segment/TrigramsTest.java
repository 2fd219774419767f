package dev.xmem.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TrigramsTest {
    private static final int LINES = 5 * Trigrams.BLOCK_LINES + 7;

    @Test
    void blocks_ofEveryText_areTold() throws BadSegment {
        Trigrams.Builder builder = new Trigrams.Builder(LINES);
        for (int line = 0; line < LINES; line++) {
            add(builder, line, "common line" + (line == 3 * Trigrams.BLOCK_LINES - 1 ? " with zebra" : ""));
        }
        SegmentWriter out = new SegmentWriter();
        builder.write(out);
        Trigrams sealed = new Trigrams(Segment.of(ByteBuffer.wrap(out.finish())), LINES);
        assertThat(sealed.mayHold("common"))
                .isEqualTo(builder.mayHold("common"))
                .isEqualTo(blocks(0, 6));
        assertThat(sealed.mayHold("zebra")).isEqualTo(builder.mayHold("zebra")).isEqualTo(blocks(2, 3));
        assertThat(sealed.mayHold("quux")).isEqualTo(new BitSet());
        assertThat(sealed.mayHold("ab")).isNull();
    }

    @Test
    void builder_afterAFlush_knowsAllAndGoesOn() {
        Trigrams.Builder builder = new Trigrams.Builder(LINES);
        add(builder, Trigrams.BLOCK_LINES - 1, "zebra");
        builder.flush();
        assertThat(Objects.requireNonNull(builder.mayHold("zebra"))).isEqualTo(blocks(0, 1));
        add(builder, Trigrams.BLOCK_LINES - 1, "gnu");
        add(builder, 3 * Trigrams.BLOCK_LINES, "zebra");
        builder.flush();
        assertThat(builder.mayHold("gnu")).isEqualTo(blocks(0, 1));
        BitSet both = blocks(0, 1);
        both.set(3);
        assertThat(builder.mayHold("zebra")).isEqualTo(both);
    }

    private static void add(Trigrams.Builder builder, int line, String text) {
        char[] in = ("##" + text + "##").toCharArray();
        builder.add(line, in, 2, text.length());
    }

    private static BitSet blocks(int from, int to) {
        BitSet blocks = new BitSet();
        blocks.set(from, to);
        return blocks;
    }
}
