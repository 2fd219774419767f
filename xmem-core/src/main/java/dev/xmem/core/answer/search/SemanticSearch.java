package dev.xmem.core.answer.search;

import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.spi.Embedder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Re-ranks the hits of a search in words by the vectors of an embedder, and adds the entries whose vectors are close to
 * the query's. Thread-safe.
 *
 * <p>The two rankings are joined by reciprocal rank fusion: an entry scores the sum of 1 / (60 + rank) over the
 * rankings it is in, so that scores of different scales need not be compared. Formula and constant: Cormack, Clarke and
 * Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009.
 *
 * <p>Vectors are computed when a query first needs them, quantized to one signed byte a dimension, and kept for the
 * newest {@value #MAX_LINES} lines of each log, so that memory does not grow with the log: 8 MB a log at 384
 * dimensions.
 */
public final class SemanticSearch {
    /** The number of hits by words that are re-ranked. */
    static final int DEPTH = 1_000;

    private static final int MAX_LINES = 20_000;
    private static final int RANK_CONSTANT = 60;
    /** The least cosine of an entry that is added, as a share of the closest one's. */
    private static final double SHARE_OF_BEST = 0.85;

    private static final int BATCH = 32;
    private static final int MAX_CHARS = 1_000;
    private static final Set<String> EMBEDDED_FIELDS =
            Set.of("tool", "action", "error", "pattern_avoid", "pattern_name", "canonical", "content", "notes");

    private final Embedder embedder;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock. */
    private final Map<LogIndex, LogVectors> logs = new WeakHashMap<>();

    /** The unit vectors of the lines of a log from one on, quantized. */
    private record LogVectors(int first, List<byte[]> units) {}

    private record Neighbor(int log, int ordinal, float cosine) {}

    /** A search with the vectors of an embedder. */
    public SemanticSearch(Embedder embedder) {
        this.embedder = embedder;
    }

    /** The fused ranking: of equal scores, the hit with the better rank by words first. */
    List<Hits.Hit> rerank(List<Hits.Hit> hits, List<FilteredLines> logs, String query) throws IOException {
        Map<Long, Hits.Hit> fused = new LinkedHashMap<>();
        for (int rank = 0; rank < hits.size(); rank++) {
            Hits.Hit hit = hits.get(rank);
            fuse(fused, hit.log(), hit.ordinal(), rank, hit.explanation());
        }
        List<Neighbor> neighbors = neighbors(logs, query);
        for (int rank = 0; rank < neighbors.size(); rank++) {
            Neighbor near = neighbors.get(rank);
            String explanation = String.format(Locale.ROOT, "its meaning is close (%.2f)", near.cosine);
            fuse(fused, near.log, near.ordinal, rank, explanation);
        }
        List<Hits.Hit> ranking = new ArrayList<>(fused.values());
        ranking.sort(Comparator.comparingDouble(Hits.Hit::score).reversed());
        return ranking;
    }

    private static void fuse(Map<Long, Hits.Hit> fused, int log, int ordinal, int rank, String explanation) {
        double score = 1.0 / (RANK_CONSTANT + rank + 1);
        long key = (long) log << Integer.SIZE | ordinal;
        Hits.@Nullable Hit other = fused.get(key);
        fused.put(
                key,
                new Hits.Hit(
                        log,
                        ordinal,
                        Match.MatchType.SIMILAR,
                        other == null ? score : other.score() + score,
                        other == null ? explanation : other.explanation() + "; " + explanation));
    }

    /** The entries closest to a query, the closest first; none below the embedder's floor. */
    private List<Neighbor> neighbors(List<FilteredLines> logs, String query) throws IOException {
        byte[] target = quantize(embedder.embed(List.of(query)).get(0));
        List<Neighbor> near = new ArrayList<>();
        for (int log = 0; log < logs.size(); log++) {
            FilteredLines lines = logs.get(log);
            int count = lines.log().count();
            LogVectors vectors = vectors(lines.log().index(), count);
            for (int ordinal = vectors.first; ordinal < Math.min(count, end(vectors)); ordinal++) {
                float cosine = cosine(target, vectors.units.get(ordinal - vectors.first));
                if (cosine >= embedder.floor() && lines.accepts(ordinal)) {
                    near.add(new Neighbor(log, ordinal, cosine));
                }
            }
        }
        near.sort(Comparator.comparing(Neighbor::cosine)
                .reversed()
                .thenComparing(Neighbor::log)
                .thenComparing(Comparator.comparing(Neighbor::ordinal).reversed()));
        double least = near.isEmpty() ? 0 : SHARE_OF_BEST * near.get(0).cosine;
        return near.stream()
                .filter(neighbor -> neighbor.cosine >= least)
                .limit(Query.MAX_ENTRIES)
                .toList();
    }

    private static int end(LogVectors vectors) {
        return vectors.first + vectors.units.size();
    }

    /** The vectors of the newest lines below a count, and perhaps of later ones. */
    private LogVectors vectors(LogIndex log, int count) throws IOException {
        lock.lock();
        try {
            LogVectors known = logs.getOrDefault(log, new LogVectors(0, List.of()));
            if (end(known) < count) {
                known = extend(known, log, count);
                logs.put(log, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private LogVectors extend(LogVectors known, LogIndex log, int count) throws IOException {
        int first = Math.max(known.first, count - MAX_LINES);
        int size = known.units.size();
        List<byte[]> units = new ArrayList<>(known.units.subList(Math.min(size, first - known.first), size));
        while (first + units.size() < count) {
            List<String> texts = new ArrayList<>();
            int from = first + units.size();
            for (int ordinal = from; ordinal < Math.min(count, from + BATCH); ordinal++) {
                texts.add(text(log.bytes(ordinal)));
            }
            List<float[]> vectors = embedder.embed(texts);
            vectors.forEach(vector -> units.add(quantize(vector)));
        }
        return new LogVectors(first, List.copyOf(units));
    }

    /** The free text of an entry, without ids and times. */
    private String text(byte[] line) {
        StringBuilder out = new StringBuilder();
        try {
            LineCodec.texts(line, false, (field, text) -> {
                if (EMBEDDED_FIELDS.contains(field) && out.length() < MAX_CHARS) {
                    out.append(out.isEmpty() ? "" : " ").append(text, 0, Math.min(text.length(), MAX_CHARS));
                }
                return true;
            });
        } catch (MalformedLineException e) {
            return ""; // the line was indexed, so another process has changed it since
        }
        return out.toString();
    }

    /** The vector scaled to a length of 127 and rounded; empty if it has no direction. */
    private static byte[] quantize(float[] vector) {
        double square = 0;
        for (float x : vector) {
            square += (double) x * x;
        }
        boolean direction = square > 0 && !Double.isInfinite(square);
        byte[] unit = new byte[direction ? vector.length : 0];
        double scale = Byte.MAX_VALUE / Math.sqrt(square);
        for (int i = 0; i < unit.length; i++) {
            unit[i] = (byte) Math.round(vector[i] * scale);
        }
        return unit;
    }

    /** The cosine of the angle between two vectors; 0 if one has no direction. */
    private static float cosine(byte[] one, byte[] other) {
        long product = 0;
        for (int i = 0; i < Math.min(one.length, other.length); i++) {
            product += one[i] * other[i];
        }
        return (float) product / (Byte.MAX_VALUE * Byte.MAX_VALUE);
    }
}
