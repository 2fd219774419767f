package dev.xmem.spi;

import dev.xmem.Incubating;
import java.util.List;

/**
 * Computes embeddings: vectors whose directions represent the meaning of texts. With an embedder, a search for words
 * also finds entries that express the same in other words. Off by default; passed to the builder, never discovered.
 *
 * <p>An implementation is thread-safe and pure. It is called by the thread that searches, which first embeds all new
 * entries in batches. The texts are already redacted. An exception is passed on to the caller of the search.
 *
 * @since 0.1
 */
@Incubating
public interface Embedder {
    /** Returns a short name, which changes whenever any result changes. */
    String id();

    /**
     * Returns one vector per text, in the order of the texts, all of one dimension. Vectors need not be normalized. A
     * zero vector is similar to nothing.
     */
    List<float[]> embed(List<String> texts);

    /**
     * Returns the minimum cosine similarity of related texts, from 0 to 1. It depends on the model. Default 0.4, which
     * suits sentence transformers of the MiniLM family.
     */
    default double floor() {
        return 0.4;
    }
}
