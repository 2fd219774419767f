package dev.xmem.spi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.testing.TokenEstimatorContract;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract rejects invalid estimators. */
final class TokenEstimatorContractTest {
    @Test
    void contract_badEstimator_fails() {
        assertFails(() -> with(" ", CharSequence::length).id_always_notBlankAndStable());
        assertFails(() -> with("bad", text -> 1).estimate_emptyText_zero());
        assertFails(() -> with("bad", text -> -1).estimate_anyText_betweenZeroAndItsBytes("a"));
        assertFails(() -> with("bad", text -> 2 * text.length()).estimate_anyText_betweenZeroAndItsBytes("0123456789"));
        assertFails(() -> with("bad", text -> text.length() / 4).estimate_visibleText_notZero('a', ""));
        assertFails(() -> with("bad", text -> 10 - text.length()).estimate_prefix_costsNoMoreThanTheWhole("abc"));
        AtomicInteger calls = new AtomicInteger();
        assertFails(() -> with("bad", text -> calls.incrementAndGet()).estimate_manyThreads_sameResults());
        assertFails(() ->
                with("bad", text -> calls.incrementAndGet()).estimate_anyText_sameEachTimeAndForEachCharSequence("a"));
    }

    private static void assertFails(ThrowingCallable contract) {
        assertThatThrownBy(contract).isInstanceOf(AssertionError.class);
    }

    private static TokenEstimatorContract with(String id, ToIntFunction<CharSequence> formula) {
        TokenEstimator bad = new TokenEstimator() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public int estimate(CharSequence text) {
                return formula.applyAsInt(text);
            }
        };
        return new TokenEstimatorContract() {
            @Override
            protected TokenEstimator estimator() {
                return bad;
            }
        };
    }
}
