package dev.xmem.core.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class CombinedChecksumTest {
    @Property(tries = 200)
    void of_twoParts_isThatOfBoth(@ForAll byte[] first, @ForAll byte[] second) {
        byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        assertThat(CombinedChecksum.of(crc(first), crc(second), second.length)).isEqualTo(crc(both));
    }

    @Property(tries = 20)
    void of_aLongSecondPart_isThatOfBoth(@ForAll byte[] first, @ForAll byte filler) {
        byte[] second = new byte[(1 << 20) + 3];
        java.util.Arrays.fill(second, filler);
        of_twoParts_isThatOfBoth(first, second);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
