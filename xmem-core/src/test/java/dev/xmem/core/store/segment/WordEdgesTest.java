package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordEdgesTest {
    private static long half(int number) {
        return WordEdges.of((char) (number * 31), (char) 0xFFFF, (char) number);
    }

    @Test
    void commonest_ofManyOfDifferentNumber_areChosen() {
        long[] sample = new long[WordEdges.SAMPLE];
        int size = 0;
        for (int number = 0; number < 2 * WordEdges.MOST; number++) {
            for (int k = 0; k <= number; k++) {
                sample[size++] = half(number);
            }
        }
        for (int i = size - 1; i > 0; i--) {
            int other = new Random(i).nextInt(i + 1);
            long swapped = sample[i];
            sample[i] = sample[other];
            sample[other] = swapped;
        }
        WordEdges halves = WordEdges.commonest(sample, size);
        assertThat(halves.count()).isEqualTo(WordEdges.MOST);
        for (int number = 0; number < 2 * WordEdges.MOST; number++) {
            int found = halves.find(half(number));
            assertThat(found >= 0).as("%d", number).isEqualTo(number >= WordEdges.MOST);
            assertThat(found < 0 || halves.get(found) == half(number)).isTrue();
        }
        assertThat(halves.find(half(2 * WordEdges.MOST - 1))).isZero();
    }

    @Test
    void commonest_ofOneAsOftenAsCanBe_isThatOne() {
        long[] sample = new long[WordEdges.SAMPLE];
        Arrays.fill(sample, WordEdges.of('\uFFFF', '\uFFFF', '\uFFFF'));
        WordEdges halves = WordEdges.commonest(sample, sample.length);
        assertThat(halves.count()).isEqualTo(1);
        assertThat(halves.find(WordEdges.of('\uFFFF', '\uFFFF', '\uFFFF'))).isZero();
        assertThat(halves.find(0)).isNegative();
        assertThat(WordEdges.commonest(sample, 0).find(0)).isNegative();
    }
}
