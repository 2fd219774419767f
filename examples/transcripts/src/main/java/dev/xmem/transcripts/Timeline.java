package dev.xmem.transcripts;

import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of many transcripts in the order of their times. A transcript is open only from its start to its end, and
 * at most {@value #MOST_OPEN} are open at once. Calls of one time are in the order of the files. Not thread-safe.
 */
final class Timeline implements Closeable {
    private static final int MOST_OPEN = 128;

    private final List<Source> sources;
    private final ReadCounts counts;
    private final List<String> skipped;
    private final Consumer<TranscriptFile> ended;
    private final PriorityQueue<Reading> open = new PriorityQueue<>(Comparator.comparing((Reading reading) -> {
                return reading.next.time();
            })
            .thenComparingInt(reading -> reading.index));
    private int opened;

    /** A transcript, and where to begin. */
    record Source(TranscriptFile file, long from) {}

    private static final class Reading {
        final Source source;
        final Transcript transcript;
        final int index;
        PastCall next;

        Reading(Source source, Transcript transcript, int index, PastCall first) {
            this.source = source;
            this.transcript = transcript;
            this.index = index;
            this.next = first;
        }
    }

    /**
     * @param sources in the order of their start
     * @param counts what was read of the transcripts that have ended is added to them
     * @param skipped receives what could not be read, or not to its end, with the reason
     * @param ended receives each transcript that was read to its end
     */
    Timeline(List<Source> sources, ReadCounts counts, List<String> skipped, Consumer<TranscriptFile> ended) {
        this.sources = List.copyOf(sources);
        this.counts = counts;
        this.skipped = skipped;
        this.ended = ended;
    }

    /** The next call; null at the end. */
    @Nullable PastCall next() throws IOException {
        while (opened < sources.size() && open.size() < MOST_OPEN && startsBefore(open.peek())) {
            Source source = sources.get(opened++);
            try {
                advance(source, source.file().open(source.from()), null, opened);
            } catch (IOException e) {
                skipped.add(source.file().path() + ": " + e.getMessage());
            }
        }
        Reading first = open.poll();
        if (first == null) {
            return null;
        }
        PastCall call = first.next;
        advance(first.source, first.transcript, first, first.index);
        return call;
    }

    private boolean startsBefore(@Nullable Reading first) {
        return first == null || !sources.get(opened).file().start().isAfter(first.next.time());
    }

    private void advance(Source source, Transcript transcript, @Nullable Reading reading, int index)
            throws IOException {
        PastCall next;
        try {
            next = transcript.next();
        } catch (IOException | RuntimeException e) {
            counts.add(transcript.counts());
            skipped.add(source.file().path() + ": " + e.getMessage());
            transcript.close();
            return;
        }
        if (next == null) {
            counts.add(transcript.counts());
            ended.accept(source.file());
            transcript.close();
        } else if (reading == null) {
            open.add(new Reading(source, transcript, index, next));
        } else {
            reading.next = next;
            open.add(reading);
        }
    }

    @Override
    public void close() throws IOException {
        for (Reading reading : open) {
            reading.transcript.close();
        }
    }
}
