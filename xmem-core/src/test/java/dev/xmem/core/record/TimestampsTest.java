package dev.xmem.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Times without a parser or formatter, beside those of the JDK. */
class TimestampsTest {
    private static final long YEAR_10500 = 269_000_000_000_000L;

    @Property
    void text_ofAnyTime_isThatOfTheJdk(@ForAll @LongRange(min = -YEAR_10500, max = YEAR_10500) long millis) {
        assertThat(Timestamps.text(millis))
                .isEqualTo(Instant.ofEpochMilli(millis).toString());
        long second = Math.floorDiv(millis, 1000) * 1000;
        assertThat(Timestamps.text(second))
                .isEqualTo(Instant.ofEpochMilli(second).toString());
    }

    @Property
    void millis_ofAText_isTheTimeItWasMadeOf(@ForAll @LongRange(min = 0, max = YEAR_10500) long millis) {
        assertThat(Timestamps.millis(Timestamps.text(millis))).isEqualTo(millis);
    }
}
