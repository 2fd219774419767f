package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.store.segment.Postings;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two posting lists read as one, compared with their sorted copy. */
class TwoPostingsTest {
    @Test
    void at_anyTwoLists_isThatOfTheSortedCopy() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int[] one = ascending(random);
            int[] other = ascending(random);
            int[] both = IntStream.concat(IntStream.of(one), IntStream.of(other))
                    .sorted()
                    .toArray();
            Postings read = new TwoPostings(Postings.of(IntStream.of(one)), Postings.of(IntStream.of(other)));
            assertThat(IntStream.range(0, read.countBelow(Integer.MAX_VALUE)).map(read::at))
                    .containsExactly(box(both));
            int cutoff = random.nextInt(40);
            assertThat(read.countBelow(cutoff))
                    .isEqualTo((int) IntStream.of(both).filter(i -> i < cutoff).count());
            assertThat(read.contains(cutoff)).isEqualTo(IntStream.of(both).anyMatch(i -> i == cutoff));
        }
    }

    private static int[] ascending(Random random) {
        return random.ints(random.nextInt(20), 0, 40).sorted().distinct().toArray();
    }

    private static Integer[] box(int[] ordinals) {
        return IntStream.of(ordinals).boxed().toArray(Integer[]::new);
    }
}
