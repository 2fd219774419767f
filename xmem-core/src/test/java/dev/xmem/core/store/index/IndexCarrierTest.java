package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexCarrierTest {
    /** The facts of a new segment take up to 128 MiB while they are made. */
    @ParameterizedTest
    @CsvSource({"8, 1", "64, 1", "128, 1", "255, 1", "256, 2", "384, 3", "511, 3", "512, 4", "65536, 4"})
    void together_heapOfSomeMebibytes_hasRoomForTheFactsOfAll(long heap, int segments) {
        assertThat(IndexCarrier.together(heap << 20)).isEqualTo(segments);
    }
}
