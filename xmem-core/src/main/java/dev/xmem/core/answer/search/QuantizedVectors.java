package dev.xmem.core.answer.search;

import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.spi.Embedder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The vectors of the lines of one log: made when a request first needs them, kept as one signed byte a dimension, and only
 * those of the newest lines, so that memory does not grow with the log.
 */
final class QuantizedVectors {
    /** A vector of 384 dimensions takes 384 bytes: some 8 MB a log. */
    static final int MOST_LINES = 20_000;

    private static final int BATCH = 32;
    private static final int MOST_CHARS = 1_000;
    private static final byte[] NOTHING = {};
    private static final Set<String> SAID =
            Set.of("tool", "action", "error", "pattern_avoid", "pattern_name", "canonical", "content", "notes");

    private final ReentrantLock embedding = new ReentrantLock();
    private final LogIndex log;
    private final LineCodec codec;
    private final Embedder embedder;
    private volatile List<byte[]> vectors = List.of();
    /** The ordinal of the first vector. */
    private volatile int first;

    QuantizedVectors(LogIndex log, LineCodec codec, Embedder embedder) {
        this.log = log;
        this.codec = codec;
        this.embedder = embedder;
    }

    /** Vectors from an ordinal on. */
    record Known(int first, List<byte[]> vectors) {}

    /** The vectors of the newest lines below a count, and perhaps of later ones. */
    Known upTo(int count) throws IOException {
        embedding.lock();
        try {
            if (first + vectors.size() < count) {
                embed(count);
            }
            return new Known(first, vectors);
        } finally {
            embedding.unlock();
        }
    }

    private void embed(int count) throws IOException {
        int least = Math.max(first, count - MOST_LINES);
        List<byte[]> all = new ArrayList<>(vectors.subList(Math.min(vectors.size(), least - first), vectors.size()));
        for (int from = least + all.size(); from < count; from += BATCH) {
            List<String> texts = new ArrayList<>();
            for (int ordinal = from; ordinal < Math.min(count, from + BATCH); ordinal++) {
                texts.add(text(ordinal));
            }
            for (float[] vector : embedder.embed(texts)) {
                all.add(unit(vector));
            }
            if (all.size() != from - least + texts.size()) {
                throw new IllegalStateException("the embedder " + embedder.id() + " was given "
                        + Plural.of(texts.size(), "text") + " and gave back another number of vectors");
            }
        }
        vectors = List.copyOf(all);
        first = least;
    }

    /** What an entry says: the words of a person, not ids and times. */
    private String text(int ordinal) throws IOException {
        StringBuilder said = new StringBuilder();
        try {
            codec.texts(log.bytes(ordinal), (field, text) -> {
                if (SAID.contains(field) && said.length() < MOST_CHARS) {
                    said.append(said.isEmpty() ? "" : " ").append(text, 0, Math.min(text.length(), MOST_CHARS));
                }
                return true;
            });
        } catch (MalformedLineException e) {
            return ""; // it was read before; a line that changed since says nothing
        }
        return said.toString();
    }

    /** The vector at length 1, a dimension as a signed byte of 127ths. */
    static byte[] unit(float[] vector) {
        double square = 0;
        for (float x : vector) {
            square += (double) x * x;
        }
        if (!(square > 0) || Double.isInfinite(square)) {
            return NOTHING;
        }
        double scale = Byte.MAX_VALUE / Math.sqrt(square);
        byte[] unit = new byte[vector.length];
        for (int i = 0; i < vector.length; i++) {
            unit[i] = (byte) Math.round(vector[i] * scale);
        }
        return unit;
    }

    /** The cosine of the angle between two; 0 where one is nothing. */
    static float cosine(byte[] one, byte[] other) {
        long product = 0;
        for (int i = 0; i < Math.min(one.length, other.length); i++) {
            product += one[i] * other[i];
        }
        return (float) product / (Byte.MAX_VALUE * Byte.MAX_VALUE);
    }
}
