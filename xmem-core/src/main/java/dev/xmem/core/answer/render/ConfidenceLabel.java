package dev.xmem.core.answer.render;

import dev.xmem.Success;

/** How far a success can be relied on, in the seed's words. */
final class ConfidenceLabel {
    private ConfidenceLabel() {}

    static String of(Success success) {
        return "Confidence: " + confidence(success) + " (used " + Plural.of(success.usageCount(), "time", "times")
                + ")";
    }

    /** Two decimals at most, one at least. */
    static String confidence(Success success) {
        return Double.toString(Math.round(success.confidence() * 100) / 100.0);
    }
}
