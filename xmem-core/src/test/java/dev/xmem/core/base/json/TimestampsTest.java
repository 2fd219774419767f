package dev.xmem.core.base.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** The own parser and formatter of times, against those of the JDK. */
class TimestampsTest {
    private static final long YEAR_10500 = 269_000_000_000_000L;
    private static final long END_OF_9999 = 253_402_300_799_999L;

    @Property
    void text_ofAnyTime_isThatOfTheJdk(@ForAll @LongRange(min = -YEAR_10500, max = YEAR_10500) long millis) {
        assertThat(Timestamps.text(millis))
                .isEqualTo(Instant.ofEpochMilli(millis).toString());
        long second = Math.floorDiv(millis, 1000) * 1000;
        assertThat(Timestamps.text(second))
                .isEqualTo(Instant.ofEpochMilli(second).toString());
    }

    @Property
    void millis_ofAFormattedTime_isThatTime(@ForAll @LongRange(min = 0, max = END_OF_9999) long millis) {
        assertThat(Timestamps.millis(Timestamps.text(millis))).isEqualTo(millis);
    }

    /** Times with up to ten fraction digits, most of them with one character changed. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Instant> times = Combinators.combine(
                        Arbitraries.longs().between(-86_400, 4_102_444_800L),
                        Arbitraries.longs().between(0, 999_999_999))
                .as(Instant::ofEpochSecond);
        Arbitrary<String> ends = Arbitraries.of("Z", "Z", "Z", "+00:00", "-05:30", "");
        Arbitrary<String> whole = Combinators.combine(
                        times, Arbitraries.integers().between(0, 10), ends)
                .as((time, digits, end) -> {
                    String fraction = String.format(Locale.ROOT, "%09d7", time.getNano());
                    return time.toString().substring(0, 19)
                            + (digits == 0 ? "" : "." + fraction.substring(0, digits))
                            + end;
                });
        return Combinators.combine(
                        whole,
                        Arbitraries.integers().between(0, 60),
                        Arbitraries.of('0', '9', 'T', '.', ':', 'Z', '-', ' '))
                .as((text, at, c) -> at >= text.length() ? text : text.substring(0, at) + c + text.substring(at + 1));
    }

    @Property(tries = 3000)
    void millis_ofAnyText_areThoseOfTheJdk(@ForAll("texts") String text) {
        assertThat(Timestamps.millis(text)).as(text).isEqualTo(parsed(text));
    }

    private static long parsed(String ts) {
        try {
            Instant time = ts.endsWith("Z")
                    ? Instant.parse(ts)
                    : OffsetDateTime.parse(ts).toInstant();
            return Math.max(-1, time.toEpochMilli());
        } catch (DateTimeException e) {
            return -1;
        }
    }
}
