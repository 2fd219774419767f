package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ConcatenatedPostingsTest {
    private static final int LINES = 4;

    /** Also where lists between others are empty. */
    @Property(tries = 500)
    void lists_joined_areAllTheirOrdinals(
            @ForAll @Size(max = 9) List<@Size(max = 3) Set<@IntRange(max = LINES - 1) Integer>> parts) {
        ConcatenatedPostings.Builder joined = new ConcatenatedPostings.Builder();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            int base = LINES * i;
            List<Integer> sorted = parts.get(i).stream().sorted().toList();
            joined.add(base, Postings.of(sorted.stream().mapToInt(Integer::intValue)));
            sorted.forEach(line -> expected.add(base + line));
        }
        Postings all = joined.build();
        int count = all.countBelow(Integer.MAX_VALUE);
        assertThat(IntStream.range(0, count).mapToObj(all::at)).isEqualTo(expected);
        for (int ordinal = 0; ordinal < LINES * parts.size(); ordinal++) {
            int cutoff = ordinal;
            assertThat(all.contains(ordinal)).isEqualTo(expected.contains(ordinal));
            assertThat(all.countBelow(ordinal))
                    .isEqualTo((int) expected.stream().filter(o -> o < cutoff).count());
        }
    }
}
