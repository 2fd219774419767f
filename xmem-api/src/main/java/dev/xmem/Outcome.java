package dev.xmem;

/** The outcome of advice, reported by {@link XMemStore#reportOutcome}. */
public enum Outcome {
    /** The advice was followed and helped. */
    WORKED,
    /** The advice was followed and did not help. */
    FAILED,
    /** The advice did not apply to the problem. */
    IRRELEVANT
}
