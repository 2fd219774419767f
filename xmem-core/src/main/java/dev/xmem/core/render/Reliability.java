package dev.xmem.core.render;

import dev.xmem.Success;

/** How far a success can be relied on, in the seed's words. */
final class Reliability {
    private Reliability() {}

    static String of(Success success) {
        return "Confidence: " + confidence(success) + " (used " + Count.of(success.usageCount(), "time", "times") + ")";
    }

    /** Two decimals at most, one at least. */
    static String confidence(Success success) {
        return Double.toString(Math.round(success.confidence() * 100) / 100.0);
    }
}
