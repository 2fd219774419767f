package dev.xmem.core.base.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.LatencyStats;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class LatencyHistogramTest {
    @Property(tries = 300)
    void percentile_ofAnyDurations_isAtMostAnEighthTooLong(
            @ForAll @Size(min = 1, max = 50) List<@LongRange(min = 0, max = Long.MAX_VALUE / 2) Long> nanos,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        LatencyHistogram stopwatch = new LatencyHistogram();
        nanos.forEach(stopwatch::took);
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        long exact = sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
        LatencyStats latency = stopwatch.latency();
        assertThat(latency.percentile(share).toNanos()).isBetween(exact, exact + exact / 8);
        assertThat(latency.max().toNanos())
                .isEqualTo(Arrays.stream(sorted).max().orElseThrow());
        assertThat(latency.count()).isEqualTo(nanos.size());
    }

    @Example
    void percentiles_ofAThousandCalls_areWithinAnEighth() {
        LatencyHistogram stopwatch = new LatencyHistogram();
        LongStream.rangeClosed(1, 1000).forEach(micros -> stopwatch.took(micros * 1000));
        LatencyStats latency = stopwatch.latency();
        assertThat(latency.percentile(0.5)).isBetween(Duration.ofNanos(500_000), Duration.ofNanos(562_500));
        assertThat(latency.percentile(1)).isEqualTo(Duration.ofMillis(1));
    }

    @Example
    void percentile_withoutCallsOrOutOfRange() {
        LatencyStats none = new LatencyHistogram().latency();
        assertThat(none.percentile(0.99)).isZero();
        assertThat(none.max()).isZero();
        assertThatThrownBy(() -> none.percentile(99)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> none.percentile(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
