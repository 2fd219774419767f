package dev.xmem.core.store.index;

import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.SectionFile;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentMerger;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges the full segments of one log in tiers, as long as its index is the one in use: none once {@link #retire} has
 * returned. Thread-safe. Decision: docs/adr/0079-merged-segments.md.
 */
final class SegmentMerging {
    /** How many full segments, from a multiple of it on, are merged. */
    private static final int[] TIERS = {64, 8};
    /** The files of segments that are merged have at most this many bytes: a file has less than two gibibytes. */
    private static final long MOST_BYTES = 1L << 30;

    private final LogFile file;
    private final ReentrantLock merging = new ReentrantLock();
    private volatile SegmentStore store;

    SegmentMerging(LogFile file, SegmentStore store) {
        this.file = file;
        this.store = store;
    }

    /** A merged segment, and those that it was merged of. */
    record Merged(Segment segment, List<Segment> parts) {}

    /** Merges segments; returns null if there are none to merge. */
    @Nullable Merged mergeOne(SegmentList lines, BooleanSupplier stopped) throws IOException {
        merging.lock();
        try {
            for (int places : TIERS) {
                for (int place = 0; store.writes() && place + places <= lines.places(); place += places) {
                    List<Segment> parts = lines.mergeable(place, place + places);
                    Segment merged = parts.isEmpty() ? null : mergeOrAdopt(lines, parts, stopped);
                    if (merged != null) {
                        return new Merged(merged, parts);
                    }
                }
            }
            return null;
        } finally {
            merging.unlock();
        }
    }

    private @Nullable Segment mergeOrAdopt(SegmentList lines, List<Segment> parts, BooleanSupplier stopped)
            throws IOException {
        try {
            return merge(parts, 1 << lines.shift(), () -> stopped.getAsBoolean() || !store.writes());
        } catch (NoSuchFileException e) {
            return adopt(lines, parts.get(0));
        }
    }

    /** Opens what another process merged of a segment, the file of which is gone, and of its neighbours; or null. */
    @Nullable Segment adopt(SegmentList lines, Segment gone) {
        for (int places : TIERS) {
            int place = gone.number() / places * places;
            List<Segment> parts = lines.between(place, place + places);
            long digest = 0;
            for (Segment part : parts) {
                digest = DigestTable.joined(digest, part.lines().count(), part.rollingDigest());
            }
            Segment merged = parts.size() < 2
                    ? null
                    : new SegmentOpener(store, file)
                            .adoptMerged(
                                    parts.get(0), parts.get(parts.size() - 1).to(), digest);
            if (merged != null) {
                return merged;
            }
        }
        return null;
    }

    private @Nullable Segment merge(List<Segment> parts, int partLines, BooleanSupplier stopped) throws IOException {
        SegmentMerger merger = new SegmentMerger(partLines, stopped);
        Segment first = parts.get(0);
        Segment last = parts.get(parts.size() - 1);
        int crc = 0;
        int endCrc = 0;
        long bytes = 0;
        long rollingDigest = 0;
        for (Segment part : parts) {
            SectionFile facts = store.facts(part);
            SectionFile text = part.isMerged() ? facts : store.textFile(part);
            SegmentHeader header = SegmentHeader.read(facts);
            if (header.from() != part.from() || header.to() != part.to()) {
                return null; // of the file that a compaction is about to put in the place of the log
            }
            merger.add(facts, text);
            bytes += facts.length() + (part.isMerged() ? 0 : text.length());
            crc = CombinedChecksum.of(crc, header.crc(), part.to() - part.from());
            endCrc = header.endCrc();
            rollingDigest = DigestTable.joined(rollingDigest, part.lines().count(), part.rollingDigest());
        }
        SegmentOpener opener = new SegmentOpener(store, file);
        if (bytes > MOST_BYTES || endCrc != opener.endCrc(last.from(), last.to())) {
            return null;
        }
        String name = store.begin(file, first.number()) + SegmentStore.hex(crc) + SegmentStore.MERGED;
        if (!store.exists(name)) { // else another process merged them
            SegmentHeader header = opener.header(first.number(), first.from(), last.to(), crc, rollingDigest);
            store.write(name, out -> merger.write(header, out));
        }
        return opener.adoptMerged(first, last.to(), rollingDigest);
    }

    /** Removes the files of segments that were merged. */
    void remove(List<Segment> parts) {
        merging.lock();
        try {
            store.remove(parts);
        } catch (IOException e) {
            // another process uses them, or this one may not remove them: a later opening does
        } finally {
            merging.unlock();
        }
    }

    /** Waits until the merge at hand has stopped; no other one begins. */
    void retire() {
        store = store.unwritten(); // stops it
        merging.lock();
        try {
            store = store.unwritten();
        } finally {
            merging.unlock();
        }
    }
}
