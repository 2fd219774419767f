package dev.xmem.core.compact;

import dev.xmem.core.index.LogIndex;
import dev.xmem.core.log.ChangedLogException;
import dev.xmem.core.record.LineBuffer;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.record.MalformedLineException;
import dev.xmem.core.record.Schema;
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
final class Families {
    /** What the names of the fields take that only a merged line has, and the texts that become one of a list. */
    private static final int FIELD_NAMES = 512;

    private static final byte[] NOTHING = {};

    private final LogIndex index;
    private final LineCodec codec;
    private final long windowMillis;
    private final int lineBytes;

    Families(LogIndex index, LineCodec codec, long windowMillis, int lineBytes) {
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

    private record Line(int ordinal, long time, Map<String, @Nullable Object> fields, int length) {}

    /** The groups among lines that have one context hash. */
    List<Group> groups(List<Integer> ordinals) throws IOException {
        List<Group> groups = new ArrayList<>();
        for (List<Line> family : bySubject(ordinals).values()) {
            family.sort(Comparator.comparingLong(Line::time)
                    .thenComparingInt(Line::ordinal)
                    .reversed());
            List<Line> rest = family;
            while (rest.size() > 1) {
                List<Line> left = new ArrayList<>();
                Group group = group(rest, left);
                if (!group.covered.isEmpty()) {
                    groups.add(group);
                }
                rest = left;
            }
        }
        return groups;
    }

    private Map<String, List<Line>> bySubject(List<Integer> ordinals) throws IOException {
        Map<String, List<Line>> families = new LinkedHashMap<>();
        for (int ordinal : ordinals) {
            Map<String, @Nullable Object> fields = fields(codec, index, ordinal);
            String subject = subject(fields);
            String name = Objects.requireNonNullElse(Merge.text(fields, "pattern_name"), "");
            families.computeIfAbsent(subject + "\n" + name, key -> new ArrayList<>())
                    .add(new Line(ordinal, index.time(ordinal), fields, index.bytes(ordinal).length));
        }
        return families;
    }

    /** Whether a line speaks of the same subject. */
    static boolean sameSubject(LineCodec codec, Map<String, @Nullable Object> fields, LogIndex index, int ordinal)
            throws IOException {
        return subject(fields).equals(subject(fields(codec, index, ordinal)));
    }

    private static String subject(Map<String, @Nullable Object> fields) {
        return Objects.requireNonNullElse(Merge.text(fields, "subject"), "");
    }

    static Map<String, @Nullable Object> fields(LineCodec codec, LogIndex index, int ordinal) throws IOException {
        try {
            return new LinkedHashMap<>(codec.fields(index.bytes(ordinal)));
        } catch (MalformedLineException e) {
            throw new ChangedLogException(index.file().path() + " was changed where it was read before", e);
        }
    }

    /** The group of the first of these lines; what does not belong to it is left. */
    private Group group(List<Line> lines, List<Line> left) {
        Line newest = lines.get(0);
        Merge merge = new Merge(newest.fields);
        List<Integer> covered = new ArrayList<>();
        long bound = (long) newest.length + FIELD_NAMES;
        for (int i = 1; i < lines.size(); i++) {
            Line other = lines.get(i);
            boolean full = bound + 2L * other.length > lineBytes;
            if (full) {
                bound = line(merge.fields()).length;
                full = bound + 2L * other.length > lineBytes;
            }
            if (full || newest.time - other.time > windowMillis) {
                left.addAll(lines.subList(i, lines.size()));
                break;
            }
            if (merge.add(other.fields)) {
                bound += 2L * other.length;
                covered.add(other.ordinal);
            } else {
                left.add(other);
            }
        }
        return new Group(newest.ordinal, covered.isEmpty() ? NOTHING : line(merge.fields()), covered);
    }

    private byte[] line(Map<String, @Nullable Object> fields) {
        LineBuffer line = new LineBuffer();
        codec.write(Schema.of(index.kind()), fields, line);
        return Arrays.copyOf(line.array(), line.length() - 1);
    }
}
