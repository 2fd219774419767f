package dev.xmem.core.store.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ByteArraysTest {
    @Property(tries = 300)
    void order_isThatOfTheBytes(@ForAll("keys") List<byte[]> keys) {
        ByteArrays slices = new ByteArrays();
        keys.forEach(key -> slices.add(key, 0, key.length));
        List<byte[]> sorted = IntStream.of(slices.order()).mapToObj(slices::get).toList();
        byte[][] expected = keys.toArray(byte[][]::new);
        Arrays.sort(expected, Arrays::compareUnsigned);
        assertThat(sorted.toArray(byte[][]::new)).isDeepEqualTo(expected);
        assertThat(IntStream.of(slices.order()).sorted()).containsExactly(range(keys.size()));
    }

    @Property(tries = 100)
    void slices_thatWereAdded_areThere(@ForAll("keys") List<byte[]> keys) {
        ByteArrays slices = new ByteArrays();
        for (int i = 0; i < keys.size(); i++) {
            byte[] key = keys.get(i);
            assertThat(slices.add(key, 0, key.length)).isEqualTo(i);
        }
        for (int i = 0; i < keys.size(); i++) {
            assertThat(slices.get(i)).isEqualTo(keys.get(i));
        }
    }

    private static Integer[] range(int n) {
        return IntStream.range(0, n).boxed().toArray(Integer[]::new);
    }

    @Provide
    Arbitrary<List<byte[]>> keys() {
        Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(20);
        Arbitrary<byte[]> alike = Arbitraries.integers()
                .between(0, 3)
                .list()
                .ofMaxSize(14)
                .map(digits -> {
                    byte[] key = new byte[digits.size()];
                    for (int i = 0; i < key.length; i++) {
                        key[i] = (byte) (digits.get(i) == 3 ? 0xFF : digits.get(i));
                    }
                    return key;
                });
        return Arbitraries.oneOf(any, alike).list().ofMaxSize(200);
    }
}
