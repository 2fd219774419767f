package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.LineFields;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.segment.DailyIdCounter;
import dev.xmem.core.text.hash.RuleBasedHasher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups the lines of one log that have the same context hash, subject and operation, and are within a time of the
 * newest of them. Decision: docs/adr/0029-compaction-reads-lines.md.
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
    private final long windowMillis;
    private final int lineBytes;
    private final UncachedLines source;
    private final boolean keepsLines;
    private final LineBuffer buffer = new LineBuffer();

    /**
     * A finder of duplicates.
     *
     * @param keepsLines whether groups have the bytes of their lines; if not, {@link #merged} makes them, and lines
     *     are left out that the index knows with other bytes: they could not be told from lines that change meanwhile
     */
    DuplicateFinder(LogIndex index, UncachedLines source, long windowMillis, int lineBytes, boolean keepsLines) {
        this.index = index;
        this.source = source;
        this.keepsLines = keepsLines;
        this.windowMillis = windowMillis;
        this.lineBytes = lineBytes;
    }

    /**
     * Several lines as one.
     *
     * @param kept the newest line
     * @param line the merged line that replaces it; null if the bytes are not to be kept
     * @param covered the other lines
     * @param hashedAlike whether the merged line has the values of the newest line in all fields that are hashed
     * @param occurrences how often it happened, if it has no other indexed fields than the lines; else 0
     */
    @SuppressWarnings("ArrayRecordComponent") // the bytes are never changed, and never compared
    record Group(int kept, byte @Nullable [] line, int[] covered, boolean hashedAlike, long occurrences) {}

    /** A line, by what it is grouped and ordered, and its fields if there is room for them. */
    private record CandidateLine(
            int ordinal,
            long time,
            int length,
            String subject,
            String name,
            Call call,
            @Nullable LineFields kept) {
        /** The lines of a subject and an operation follow each other, the newest first. */
        private static final Comparator<CandidateLine> ORDER = (a, b) -> {
            int order = a.subject.compareTo(b.subject);
            order = order == 0 ? a.name.compareTo(b.name) : order;
            order = order == 0 ? Call.compare(a.call, b.call) : order;
            order = order == 0 ? Long.compare(b.time, a.time) : order;
            return order == 0 ? Integer.compare(b.ordinal, a.ordinal) : order;
        };

        boolean isLike(CandidateLine other) {
            return subject.equals(other.subject) && name.equals(other.name) && Call.compare(call, other.call) == 0;
        }
    }

    /** Returns the groups among lines that have one context hash; a line whose id has another form is in none. */
    List<Group> groups(int[] ordinals) throws IOException {
        List<Group> groups = new ArrayList<>();
        if (ordinals.length < 2) {
            return groups;
        }
        CandidateLine[] lines = candidates(ordinals);
        Arrays.sort(lines, CandidateLine.ORDER);
        for (int from = 0; from < lines.length; ) {
            int to = from + 1;
            while (to < lines.length && lines[from].isLike(lines[to])) {
                to++;
            }
            if (to - from > 1) {
                new Family(lines, from, to).addTo(groups);
            }
            from = to;
        }
        return groups;
    }

    private CandidateLine[] candidates(int[] ordinals) throws IOException {
        CandidateLine[] lines = new CandidateLine[ordinals.length];
        Calls calls = new Calls();
        int n = 0;
        long kept = 0;
        for (int ordinal : ordinals) {
            byte[] line = source.line(ordinal);
            if (!keepsLines && !isUnchanged(ordinal, line)) {
                continue;
            }
            LineFields fields = fields(index, line);
            String id = EntryMerger.text(fields, "id");
            if (id == null || !DailyIdCounter.isId(id)) {
                continue;
            }
            kept += line.length;
            lines[n++] = new CandidateLine(
                    ordinal,
                    index.lines().time(ordinal),
                    line.length,
                    subject(fields),
                    text(fields, "pattern_name"),
                    index.kind() == Entry.Kind.FAILURE ? calls.of(fields) : Calls.NONE,
                    kept <= KEPT_BYTES ? fields : null);
        }
        return n == lines.length ? lines : Arrays.copyOf(lines, n);
    }

    /** Whether a line has the same subject. */
    static boolean sameSubject(LineFields fields, LogIndex index, int ordinal) throws IOException {
        return subject(fields).equals(subject(fields(index, index.bytes(ordinal))));
    }

    private static String subject(LineFields fields) {
        return text(fields, "subject");
    }

    private static String text(LineFields fields, String name) {
        return Objects.requireNonNullElse(EntryMerger.text(fields, name), "");
    }

    static LineFields fields(LogIndex index, byte[] line) throws IOException {
        try {
            return LineCodec.lineFields(line);
        } catch (MalformedLineException e) {
            throw new LogChangedException(index.file().path() + " was changed where it was read before", e);
        }
    }

    /** The calls of the lines of one hash, equal calls as one, so that calls are parsed only where they differ. */
    private static final class Calls {
        private static final Call NONE = new Call("", "", "", "");
        private final Map<String, Call> known = new HashMap<>();
        private Call last = NONE;

        Call of(LineFields fields) {
            String action = text(fields, "action");
            String tool = text(fields, "tool");
            if (last == NONE || !last.action.equals(action) || !last.tool.equals(tool)) {
                last = known.computeIfAbsent(tool + '\n' + action, key -> {
                    String evidence = text(fields, "evidence");
                    String error = evidence.isEmpty() ? text(fields, "error") : evidence;
                    return new Call(text(fields, "ctx_hash"), tool, action, error);
                });
            }
            return last;
        }
    }

    /** A failed call. */
    private static final class Call {
        private final String hash;
        private final String tool;
        private final String action;
        private final String error;
        private @Nullable String operation;

        Call(String hash, String tool, String action, String error) {
            this.hash = hash;
            this.tool = tool;
            this.action = action;
            this.error = error;
        }

        /** Orders calls by the operation that their hash does not have. */
        static int compare(Call a, Call b) {
            return a == b ? 0 : a.operation().compareTo(b.operation());
        }

        private String operation() {
            String found = operation;
            if (found == null) {
                found = RuleBasedHasher.operationBeside(hash, tool, action, error);
                operation = found;
            }
            return found;
        }
    }

    /** The lines of one subject and operation, the newest first. Used once. */
    private final class Family {
        private final CandidateLine[] lines;
        private final int begin;
        private final int end;
        /** For each line that is left, the position of the next one, counted from the first. */
        private final int[] next;

        private long mayCompare;

        /** The lines in a range of an array. */
        Family(CandidateLine[] lines, int begin, int end) {
            this.lines = lines;
            this.begin = begin;
            this.end = end;
            this.next = new int[end - begin];
            Arrays.setAll(next, number -> begin + number + 1);
            this.mayCompare = Math.max(COMPARED_AT_LEAST, (long) COMPARED_PER_LINE * next.length);
        }

        void addTo(List<Group> groups) throws IOException {
            for (int first = begin; first < end && mayCompare > 0; first = next(first)) {
                if (isNear(first, next(first))) {
                    Group group = group(first);
                    if (group != null) {
                        groups.add(group);
                    }
                }
            }
        }

        private int next(int position) {
            return next[position - begin];
        }

        private boolean isNear(int first, int other) {
            return other < end && lines[first].time - lines[other].time <= windowMillis;
        }

        /** The group of a line, whose lines are removed from those that are left; null if it has no other line. */
        private @Nullable Group group(int first) throws IOException {
            CandidateLine newest = lines[first];
            EntryMerger merge = new EntryMerger(fields(newest));
            int[] covered = new int[4];
            int n = 0;
            long bound = (long) newest.length + FIELD_NAMES;
            int before = first;
            for (int i = next(first); isNear(first, i) && mayCompare > 0; i = next(i)) {
                CandidateLine other = lines[i];
                if (bound + 2L * other.length > lineBytes) {
                    bound = line(merge).length;
                    if (bound + 2L * other.length > lineBytes) {
                        break;
                    }
                }
                mayCompare--;
                if (merge.add(fields(other))) {
                    bound += 2L * other.length;
                    covered = n == covered.length ? Arrays.copyOf(covered, 2 * n) : covered;
                    covered[n++] = other.ordinal;
                    next[before - begin] = next(i);
                } else {
                    before = i;
                }
            }
            if (n == 0) {
                return null;
            }
            boolean alike = merge.isHashedAlike();
            return new Group(
                    newest.ordinal,
                    keepsLines ? line(merge) : null,
                    Arrays.copyOf(covered, n),
                    alike,
                    alike && index.kind() == Entry.Kind.FAILURE ? merge.joinedOccurrences() : 0);
        }

        private LineFields fields(CandidateLine line) throws IOException {
            return line.kept != null ? line.kept : DuplicateFinder.fields(index, source.line(line.ordinal));
        }
    }

    /** The line of a group that was found before. */
    byte[] merged(int kept, int[] covered) throws IOException {
        EntryMerger merge = new EntryMerger(unchanged(kept));
        for (int ordinal : covered) {
            merge.add(unchanged(ordinal));
        }
        return line(merge);
    }

    private LineFields unchanged(int ordinal) throws IOException {
        byte[] line = source.line(ordinal);
        if (!isUnchanged(ordinal, line)) {
            throw new LogChangedException("a line was changed since the compaction was planned; plan again");
        }
        return fields(index, line);
    }

    private boolean isUnchanged(int ordinal, byte[] line) {
        return LogIndex.digestOf(line) == index.lines().digest(ordinal);
    }

    private byte[] line(EntryMerger merge) {
        buffer.clear();
        merge.write(Schema.of(index.kind()), buffer);
        return Arrays.copyOf(buffer.array(), buffer.length());
    }
}
