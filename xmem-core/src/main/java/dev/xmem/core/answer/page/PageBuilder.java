package dev.xmem.core.answer.page;

import dev.xmem.Page;
import dev.xmem.spi.TokenEstimator;
import java.util.Objects;

/** Makes pages whose cost this estimator measures. Immutable and thread-safe. */
public final class PageBuilder {
    private final TokenEstimator tokens;

    /** Pages by an estimator. */
    public PageBuilder(TokenEstimator tokens) {
        this.tokens = Objects.requireNonNull(tokens, "tokens");
    }

    /** The longest beginning of the ranking that fits, at least one entry unless there is none. */
    public Page page(PageRequest request) {
        return new BudgetFitter(request, new TokenMeter(tokens)).page();
    }
}
