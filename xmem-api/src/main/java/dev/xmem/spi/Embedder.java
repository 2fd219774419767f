package dev.xmem.spi;

import java.util.List;

/**
 * Turns texts into vectors whose directions say what they mean: a second channel of the search in words, which finds
 * entries that say the same in other words. Incubating: this type may still change in a minor release. Given to the
 * builder only, never discovered; off by default.
 *
 * <p>Called by the thread that searches: a query first has every new entry embedded, in batches. Thread-safe and pure; the
 * texts are redacted already. What it throws is thrown at the caller of the search.
 */
public interface Embedder {
    /** A short name that changes whenever one result does. */
    String id();

    /**
     * One vector a text, in the order of the texts, all of one length. Their lengths as vectors do not matter; one of
     * zeros is like nothing.
     */
    List<float[]> embed(List<String> texts);

    /**
     * The cosine of the angle between two vectors below which their texts have nothing to do with each other. Between 0
     * and 1; depends on the model. Default 0.4, which suits sentence transformers of the MiniLM family.
     */
    default double floor() {
        return 0.4;
    }
}
