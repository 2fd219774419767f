package dev.xmem.semantic;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import dev.xmem.spi.Embedder;
import java.util.List;

/**
 * The quantized all-MiniLM-L6-v2 model from a Maven package: 384 dimensions, no network, a few milliseconds per text.
 */
public final class MiniLm implements Embedder {
    private final EmbeddingModel model = new AllMiniLmL6V2QuantizedEmbeddingModel();

    @Override
    public String id() {
        return "all-minilm-l6-v2-q";
    }

    @Override
    public List<float[]> embed(List<String> texts) {
        List<TextSegment> segments = texts.stream()
                .map(text -> TextSegment.from(text.isBlank() ? "." : text))
                .toList();
        return model.embedAll(segments).content().stream()
                .map(Embedding::vector)
                .toList();
    }
}
