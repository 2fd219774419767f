package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the lines of one log that say the same: of one context hash and subject, within a time of the newest of them. */
final class DuplicateFinder {
    /** What the names of the fields take that only a merged line has, and the texts that become one of a list. */
    private static final int FIELD_NAMES = 512;
    /** A family of which many lines contradict each other is not compared to its end: what is left stays as it is. */
    private static final int COMPARED_PER_LINE = 16;

    private static final int COMPARED_AT_LEAST = 1 << 14;
    /** So many bytes of lines of a family are taken apart once; those of the rest each time they are compared. */
    private static final long KEPT_BYTES = 4 << 20;

    private final LogIndex index;
    private final LineCodec codec;
    private final long windowMillis;
    private final int lineBytes;
    private final LineBuffer buffer = new LineBuffer();

    DuplicateFinder(LogIndex index, LineCodec codec, long windowMillis, int lineBytes) {
        this.index = index;
        this.codec = codec;
        this.windowMillis = windowMillis;
        this.lineBytes = lineBytes;
    }

    /**
     * Several lines as one.
     *
     * @param kept the newest
     * @param line what takes its place
     * @param covered the others
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes that nobody changes, compared by nobody
    record Group(int kept, byte[] line, List<Integer> covered) {}

    private record Line(
            int ordinal, long time, int length, @Nullable Map<String, Object> kept) {}

    /** The groups among lines that have one context hash. */
    List<Group> groups(List<Integer> ordinals, LineReadAhead batch) throws IOException {
        List<Group> groups = new ArrayList<>();
        for (List<Line> family : bySubject(ordinals, batch).values()) {
            if (family.size() > 1) {
                family.sort(Comparator.comparingLong(Line::time)
                        .thenComparingInt(Line::ordinal)
                        .reversed());
                new Family(family, batch).addTo(groups);
            }
        }
        return groups;
    }

    private Map<String, List<Line>> bySubject(List<Integer> ordinals, LineReadAhead batch) throws IOException {
        Map<String, List<Line>> families = new LinkedHashMap<>();
        long kept = 0;
        for (int ordinal : ordinals) {
            int length = index.lines().length(ordinal);
            Map<String, Object> fields = fields(codec, index, batch.bytes(ordinal));
            String name = Objects.requireNonNullElse(EntryMerger.text(fields, "pattern_name"), "");
            kept += length;
            families.computeIfAbsent(subject(fields) + "\n" + name, key -> new ArrayList<>())
                    .add(new Line(ordinal, index.lines().time(ordinal), length, kept <= KEPT_BYTES ? fields : null));
        }
        return families;
    }

    /** Whether a line speaks of the same subject. */
    static boolean sameSubject(LineCodec codec, Map<String, Object> fields, LogIndex index, int ordinal)
            throws IOException {
        return subject(fields).equals(subject(fields(codec, index, index.bytes(ordinal))));
    }

    private static String subject(Map<String, Object> fields) {
        return Objects.requireNonNullElse(EntryMerger.text(fields, "subject"), "");
    }

    static Map<String, Object> fields(LineCodec codec, LogIndex index, byte[] line) throws IOException {
        try {
            return codec.fields(line);
        } catch (MalformedLineException e) {
            throw new LogChangedException(index.file().path() + " was changed where it was read before", e);
        }
    }

    /** The lines of one subject, the newest first. Used once. */
    private final class Family {
        private final List<Line> lines;
        private final LineReadAhead batch;
        /** Of each line that is left the place of the next one. */
        private final int[] next;

        private final int end;
        private long mayCompare;

        Family(List<Line> lines, LineReadAhead batch) {
            this.lines = lines;
            this.batch = batch;
            this.end = lines.size();
            this.next = new int[end];
            Arrays.setAll(next, place -> place + 1);
            this.mayCompare = Math.max(COMPARED_AT_LEAST, (long) COMPARED_PER_LINE * end);
        }

        void addTo(List<Group> groups) throws IOException {
            for (int first = 0; first < end && mayCompare > 0; first = next[first]) {
                if (isNear(first, next[first])) {
                    Group group = group(first);
                    if (!group.covered.isEmpty()) {
                        groups.add(group);
                    }
                }
            }
        }

        private boolean isNear(int first, int other) {
            return other < end && lines.get(first).time - lines.get(other).time <= windowMillis;
        }

        /** The group of a line; what belongs to it is not left any more. */
        private Group group(int first) throws IOException {
            Line newest = lines.get(first);
            EntryMerger merge = new EntryMerger(fields(newest));
            List<Integer> covered = new ArrayList<>();
            long bound = (long) newest.length + FIELD_NAMES;
            int before = first;
            for (int i = next[first]; isNear(first, i) && mayCompare > 0; i = next[i]) {
                Line other = lines.get(i);
                if (bound + 2L * other.length > lineBytes) {
                    bound = line(merge.fields()).length;
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
            return new Group(newest.ordinal, covered.isEmpty() ? LineReadAhead.NOTHING : line(merge.fields()), covered);
        }

        private Map<String, Object> fields(Line line) throws IOException {
            return line.kept != null ? line.kept : DuplicateFinder.fields(codec, index, batch.bytes(line.ordinal));
        }
    }

    private byte[] line(Map<String, @Nullable Object> fields) {
        buffer.clear();
        codec.write(Schema.of(index.kind()), fields, buffer);
        return Arrays.copyOf(buffer.array(), buffer.length() - 1);
    }
}
