package dev.xmem.core.answer.search;

import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.spi.Embedder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;

/** Finds the entries that an embedder takes for close to a request. Thread-safe. */
public final class SemanticSearch {
    /** Of what is close only that is told which is nearly as close as the closest. */
    private static final double SHARE_OF_BEST = 0.85;

    private final LineCodec codec;
    private final Embedder embedder;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LogIndex, QuantizedVectors> logs = new WeakHashMap<>();

    /** The meanings that an embedder gives. */
    public SemanticSearch(LineCodec codec, Embedder embedder) {
        this.codec = codec;
        this.embedder = embedder;
    }

    /**
     * One log as it is to be seen.
     *
     * @param log its lines
     * @param accept which of them may be returned
     */
    public record Slice(LogSnapshot log, IntPredicate accept) {}

    /** The entries closest to a request, the closest first; none below the embedder's floor. */
    public List<VectorHit> closest(List<Slice> slices, String request, int most) throws IOException {
        byte[] asked = QuantizedVectors.unit(embedder.embed(List.of(request)).get(0));
        List<VectorHit> close = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            addClose(close, i, slices.get(i), asked);
        }
        close.sort(Comparator.comparing(VectorHit::cosine)
                .reversed()
                .thenComparing(VectorHit::log)
                .thenComparing(Comparator.comparing(VectorHit::ordinal).reversed()));
        double floor = close.isEmpty() ? 0 : SHARE_OF_BEST * close.get(0).cosine();
        return close.stream()
                .filter(found -> found.cosine() >= floor)
                .limit(most)
                .toList();
    }

    private void addClose(List<VectorHit> close, int number, Slice slice, byte[] asked) throws IOException {
        LogSnapshot log = slice.log();
        QuantizedVectors.Known known = vectors(log.index()).upTo(log.count());
        for (int i = 0; i < known.vectors().size() && known.first() + i < log.count(); i++) {
            float cosine = QuantizedVectors.cosine(asked, known.vectors().get(i));
            if (cosine >= embedder.floor() && slice.accept().test(known.first() + i)) {
                close.add(new VectorHit(number, known.first() + i, cosine));
            }
        }
    }

    private QuantizedVectors vectors(LogIndex log) {
        lock.lock();
        try {
            return logs.computeIfAbsent(log, index -> new QuantizedVectors(index, codec, embedder));
        } finally {
            lock.unlock();
        }
    }
}
