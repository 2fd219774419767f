package dev.xmem.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.xmem.Failure;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import dev.xmem.testing.TokenEstimatorContract;
import org.junit.jupiter.api.Test;

/** The estimator contract, and a store that uses this estimator. */
class BpeTokenEstimatorTest extends TokenEstimatorContract {
    private static final TokenEstimator ESTIMATOR = new BpeTokenEstimator();
    private static final int BUDGET = 600;

    @Override
    protected TokenEstimator estimator() {
        return ESTIMATOR;
    }

    /** One more character can merge the last ones into one token. */
    @Override
    protected int joinedTokens() {
        return 8;
    }

    @Test
    void estimate_words_equalsEncoding() {
        assertThat(ESTIMATOR.estimate("hello world")).isEqualTo(2);
        assertThat(ESTIMATOR.estimate("<|endoftext|>"))
                .as("not a special token")
                .isGreaterThan(1);
        assertThat(ESTIMATOR.id()).isEqualTo("jtokkit-o200k_base");
    }

    @Test
    void page_withBudget_costsNoMoreByTokenizer() {
        Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        try (XMemStore store = XMem.inMemoryBuilder()
                .discover(BpeTokenEstimator.class.getClassLoader())
                .open()) {
            for (int i = 0; i < 60; i++) {
                store.recordFailure(
                        Failure.of("git", "push origin b" + i, "fatal: Ursache № " + i + " 漢字 (non-fast-forward)")
                                .patternAvoid("git pull --rebase origin b" + i));
            }

            Page page = store.search(Query.words("push").limit(60).tokenBudget(BUDGET));

            int counted = encoding.countTokensOrdinary(page.text());
            assertThat(page.tokens()).isEqualTo(counted).isLessThanOrEqualTo(BUDGET);
            assertThat(page.matches()).hasSizeBetween(5, 59);
        }
    }
}
