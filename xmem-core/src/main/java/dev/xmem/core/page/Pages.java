package dev.xmem.core.page;

import dev.xmem.Page;
import dev.xmem.spi.TokenEstimator;
import java.util.Objects;

/** Makes pages whose cost this estimator measures. Immutable and thread-safe. */
public final class Pages {
    private final TokenEstimator tokens;

    /** Pages by an estimator. */
    public Pages(TokenEstimator tokens) {
        this.tokens = Objects.requireNonNull(tokens, "tokens");
    }

    /** The longest beginning of the ranking that fits, at least one entry unless there is none. */
    public Page page(PageRequest request) {
        return new Fitting(request, new Scale(tokens)).page();
    }
}
