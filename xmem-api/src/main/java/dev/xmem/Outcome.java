package dev.xmem;

/** What became of a piece of advice. */
public enum Outcome {
    /** It was followed and helped. */
    WORKED,
    /** It was followed and did not help. */
    FAILED,
    /** It had nothing to do with the matter. */
    IRRELEVANT
}
