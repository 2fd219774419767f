package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LineFields;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups the lines of one log that have the same context hash and subject, and are within a time of the newest of them.
 * Decision: docs/adr/0029-compaction-reads-lines.md.
 */
final class DuplicateFinder {
    /** The most bytes that a merged line needs for the names of fields that the newest line does not have. */
    private static final int FIELD_NAMES = 512;
    /** Bounds the comparisons in a group whose lines cannot be merged with each other; the rest stays as it is. */
    private static final int COMPARED_PER_LINE = 16;

    private static final int COMPARED_AT_LEAST = 1 << 14;
    /** The parsed lines of a group are kept up to this number of bytes; the rest is parsed at each comparison. */
    private static final long KEPT_BYTES = 4 << 20;

    private final LogIndex index;
    private final LineCodec codec;
    private final long windowMillis;
    private final int lineBytes;
    private final Tail tail;
    private final LineBuffer buffer = new LineBuffer();

    DuplicateFinder(LogIndex index, Tail tail, LineCodec codec, long windowMillis, int lineBytes) {
        this.index = index;
        this.tail = tail;
        this.codec = codec;
        this.windowMillis = windowMillis;
        this.lineBytes = lineBytes;
    }

    /**
     * The end of a log in memory: of the last bytes no whole chunk is mapped, and lines are read in any order.
     * Immutable.
     *
     * @param from the offset of the first byte
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed, and never compared
    record Tail(long from, byte[] bytes) {
        private static final int MOST_BYTES = (int) ResourcePool.share(16 << 20, 16);

        static Tail of(LogFile log) throws IOException {
            byte[] bytes = new byte[(int) Math.min(MOST_BYTES, log.length())];
            long from = log.length() - bytes.length;
            int length = Math.max(0, log.readRaw(from, bytes, bytes.length));
            return new Tail(from, length < bytes.length ? Arrays.copyOf(bytes, length) : bytes);
        }

        /** Reads a line, if it has all of it. */
        boolean read(long offset, byte[] line) {
            boolean has = offset >= from && offset - from <= bytes.length - line.length;
            if (has) {
                System.arraycopy(bytes, (int) (offset - from), line, 0, line.length);
            }
            return has;
        }
    }

    /**
     * Several lines as one.
     *
     * @param kept the newest line
     * @param line the merged line that replaces it
     * @param covered the other lines
     * @param hashedAlike whether the merged line has the values of the newest line in all fields that are hashed
     * @param occurrences how often it happened, if it has no other indexed fields than the lines; else 0
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are never changed, and never compared
    record Group(int kept, byte[] line, int[] covered, boolean hashedAlike, long occurrences) {}

    private record CandidateLine(
            int ordinal, long time, int length, @Nullable LineFields kept) {}

    /** Returns the groups among lines that have one context hash. */
    List<Group> groups(int[] ordinals) throws IOException {
        List<Group> groups = new ArrayList<>();
        if (ordinals.length < 2) {
            return groups;
        }
        for (List<CandidateLine> family : bySubject(ordinals).values()) {
            if (family.size() > 1) {
                family.sort(Comparator.comparingLong(CandidateLine::time)
                        .thenComparingInt(CandidateLine::ordinal)
                        .reversed());
                new Family(family).addTo(groups);
            }
        }
        return groups;
    }

    private Map<String, List<CandidateLine>> bySubject(int[] ordinals) throws IOException {
        Map<String, List<CandidateLine>> families = new LinkedHashMap<>();
        long kept = 0;
        for (int ordinal : ordinals) {
            int length = index.lines().length(ordinal);
            LineFields fields = fields(codec, index, bytes(ordinal));
            String name = Objects.requireNonNullElse(EntryMerger.text(fields, "pattern_name"), "");
            kept += length;
            families.computeIfAbsent(subject(fields) + "\n" + name, key -> new ArrayList<>())
                    .add(new CandidateLine(
                            ordinal, index.lines().time(ordinal), length, kept <= KEPT_BYTES ? fields : null));
        }
        return families;
    }

    /** Reads a line past the cache, which a pass over all lines would only flush. The index may be wrong. */
    private byte[] bytes(int ordinal) throws IOException {
        int length = index.lines().length(ordinal);
        long offset = index.lines().offset(ordinal);
        if (offset < 0 || length < 0 || length > index.file().lineBytes()) {
            throw new LogChangedException(index.file().path() + " has no line of " + length + " bytes; ask again");
        }
        byte[] line = new byte[length];
        if (tail.read(offset, line)) {
            return line;
        }
        if (index.file().readKnown(offset, line, length) < length) {
            throw new LogChangedException(index.file().path() + " is shorter than it was; ask again");
        }
        return line;
    }

    /** Whether a line has the same subject. */
    static boolean sameSubject(LineCodec codec, LineFields fields, LogIndex index, int ordinal) throws IOException {
        return subject(fields).equals(subject(fields(codec, index, index.bytes(ordinal))));
    }

    private static String subject(LineFields fields) {
        return Objects.requireNonNullElse(EntryMerger.text(fields, "subject"), "");
    }

    static LineFields fields(LineCodec codec, LogIndex index, byte[] line) throws IOException {
        try {
            return codec.lineFields(line);
        } catch (MalformedLineException e) {
            throw new LogChangedException(index.file().path() + " was changed where it was read before", e);
        }
    }

    /** The lines of one subject, the newest first. Used once. */
    private final class Family {
        private final List<CandidateLine> lines;
        /** For each line that is left, the position of the next one. */
        private final int[] next;

        private final int end;
        private long mayCompare;

        Family(List<CandidateLine> lines) {
            this.lines = lines;
            this.end = lines.size();
            this.next = new int[end];
            Arrays.setAll(next, position -> position + 1);
            this.mayCompare = Math.max(COMPARED_AT_LEAST, (long) COMPARED_PER_LINE * end);
        }

        void addTo(List<Group> groups) throws IOException {
            for (int first = 0; first < end && mayCompare > 0; first = next[first]) {
                if (isNear(first, next[first])) {
                    Group group = group(first);
                    if (group != null) {
                        groups.add(group);
                    }
                }
            }
        }

        private boolean isNear(int first, int other) {
            return other < end && lines.get(first).time - lines.get(other).time <= windowMillis;
        }

        /** The group of a line, whose lines are removed from those that are left; null if it has no other line. */
        private @Nullable Group group(int first) throws IOException {
            CandidateLine newest = lines.get(first);
            EntryMerger merge = new EntryMerger(fields(newest));
            List<Integer> covered = new ArrayList<>();
            long bound = (long) newest.length + FIELD_NAMES;
            int before = first;
            for (int i = next[first]; isNear(first, i) && mayCompare > 0; i = next[i]) {
                CandidateLine other = lines.get(i);
                if (bound + 2L * other.length > lineBytes) {
                    bound = line(merge).length;
                    if (bound + 2L * other.length > lineBytes) {
                        break;
                    }
                }
                mayCompare--;
                if (merge.add(fields(other))) {
                    bound += 2L * other.length;
                    covered.add(other.ordinal);
                    next[before] = next[i];
                } else {
                    before = i;
                }
            }
            return covered.isEmpty()
                    ? null
                    : new Group(
                            newest.ordinal,
                            line(merge),
                            covered.stream().mapToInt(Integer::intValue).toArray(),
                            merge.isHashedAlike(),
                            index.kind() == Entry.Kind.FAILURE ? merge.joinedOccurrences() : 0);
        }

        private LineFields fields(CandidateLine line) throws IOException {
            return line.kept != null ? line.kept : DuplicateFinder.fields(codec, index, bytes(line.ordinal));
        }
    }

    /** The line of a group again. */
    byte[] merged(int kept, int[] covered) throws IOException {
        EntryMerger merge = new EntryMerger(fields(codec, index, bytes(kept)));
        for (int ordinal : covered) {
            merge.add(fields(codec, index, bytes(ordinal)));
        }
        return line(merge);
    }

    private byte[] line(EntryMerger merge) {
        buffer.clear();
        merge.write(codec, Schema.of(index.kind()), buffer);
        return Arrays.copyOf(buffer.array(), buffer.length());
    }
}
