package dev.xmem.core.store.index;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.segment.LineColumns;
import dev.xmem.core.store.segment.MergedSegmentReader;
import dev.xmem.core.store.segment.SegmentHeader;
import dev.xmem.core.store.segment.SegmentReader;
import dev.xmem.core.store.segment.SegmentStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Carries the segments of a log over to a file that replaces it: what the index knows of lines that stay is copied, and
 * only lines that replace others are parsed. Every line of the new file is compared with its digest. Used once.
 * Decision: docs/adr/0092-compaction-from-columns.md.
 */
final class IndexCarrier {
    /** How many new segments are made of one pass over the old ones: the heap has room for their facts. */
    private static final int TOGETHER = together(Runtime.getRuntime().maxMemory());
    /** How many passes are made at a time: the heap has room for their segments. */
    private static final int PASSES = ResourcePool.together(160 << 20);
    /** How many parsed lines are in a table at a time, which takes far more room than the facts made of it. */
    private static final int PARSED = 1 << 12;
    /** Fewer lines are not worth other threads. */
    private static final int MANY_LINES = 1 << 12;

    private final LogIndex before;
    private final LogIndex after;
    private final LogIndex.CarriedLines lines;
    private final BitSet hashed;
    private final int segmentLines;
    private final long end;
    private final List<Part> parts = new ArrayList<>();

    /** A segment of the old index, the ordinal of its first line, and how many lines count. */
    private record Part(LineColumns lines, int base, int count) {}

    IndexCarrier(LogIndex before, LogIndex after, LogIndex.CarriedLines lines) throws IOException {
        this.before = before;
        this.after = after;
        this.lines = lines;
        this.hashed = hashed(lines.mapping());
        this.segmentLines = 1 << before.segments().shift();
        this.end = endOf(after.file(), lines.offsets()[lines.count()]);
    }

    /** The same for a heap of this many bytes: at most four, and one at least. */
    static int together(long heap) {
        return (int) Math.max(1, Math.min(4, heap / (128 << 20)));
    }

    /** The parsed lines to which the hasher in use gives the hash of the lines that they replace. */
    private static BitSet hashed(SegmentReader.LineMapping mapping) {
        BitSet hashed = new BitSet();
        for (int mapped : mapping.map()) {
            if (mapped < SegmentReader.LineMapping.GONE) {
                hashed.set(SegmentReader.LineMapping.lineOf(mapped));
            }
        }
        return hashed;
    }

    /** Makes the new segments; the last lines are left out if they are few. */
    List<Segment> segments() throws IOException {
        SegmentList old = before.segments();
        for (int i = 0; i < old.parts(); i++) {
            addParts(old.part(i), old.base(i));
        }
        int count = count();
        int[] groups = groups(count);
        List<Segment> segments = new ArrayList<>();
        for (int from = 0; from < groups.length - 1; from += PASSES) {
            int first = from;
            int passes = Math.min(PASSES, groups.length - 1 - from);
            ResourcePool.all(passes, count > MANY_LINES, i -> group(groups[first + i], groups[first + i + 1]))
                    .forEach(segments::addAll);
        }
        return segments;
    }

    /** How many lines are carried over: the last one has to be ended. */
    private int count() {
        int ended = end < 0 ? Math.max(0, lines.count() - 1) : lines.count();
        int rest = ended % segmentLines;
        boolean few = rest < SegmentSealing.leastLines(segmentLines);
        return few || end < 0 ? ended - rest : ended;
    }

    /** Where the line behind the last line begins; negative if the last line has no simple line end. */
    private static long endOf(LogFile file, long line) throws IOException {
        byte[] ending = new byte[2];
        int length = file.readRaw(line, ending, ending.length);
        int newline = length > 1 && ending[0] == '\r' ? 1 : 0;
        return length > newline && ending[newline] == '\n' ? line + newline + 1 : -1;
    }

    private int[] groups(int count) {
        int size = TOGETHER * segmentLines;
        int[] ends = new int[(count + size - 1) / size + 1];
        for (int i = 1; i < ends.length; i++) {
            ends[i] = Math.min(count, i * size);
        }
        return ends;
    }

    private void addParts(LineColumns part, int base) {
        if (part instanceof ActiveSegment several) {
            for (int i = 0; i < several.parts(); i++) {
                addParts(several.part(i), base + several.base(i));
            }
        } else {
            int count = Math.min(part.count(), lines.mapping().map().length - base);
            if (count > 0) {
                parts.add(new Part(part, base, count));
            }
        }
    }

    private List<Segment> group(int from, int to) throws IOException {
        SegmentReader.Carried facts = SegmentReader.carried(
                from, to - from, segmentLines, before.statistics().logStatistics());
        for (Part part : parts) {
            add(part, from, to, facts);
        }
        addReplaced(from, to, facts);
        facts.merge();
        for (int line : facts.unclear()) {
            facts.count(line, after.fields(bytes(line, facts.length(line))));
        }
        List<Segment> segments = new ArrayList<>();
        for (int first = from; first < to; first += segmentLines) {
            segments.add(segment(first, Math.min(to, first + segmentLines), facts, (first - from) / segmentLines));
        }
        return segments;
    }

    private void add(Part part, int from, int to, SegmentReader.Carried facts) throws IOException {
        int[] map = lines.mapping().map();
        int[] joined = lines.mapping().joined();
        boolean some = false;
        for (int line = 0; line < part.count; line++) {
            int mapped = map[part.base + line];
            int place = Math.max(SegmentReader.LineMapping.lineOf(mapped), joined[part.base + line]);
            if (place >= from && place < to) {
                some = true;
                if (mapped >= 0) {
                    facts.set(mapped, lines.offsets()[mapped], part.lines, line);
                }
            }
        }
        if (some) {
            boolean sealed = part.lines instanceof SegmentReader || part.lines instanceof MergedSegmentReader;
            facts.add(sealed ? part.lines : SegmentReader.copy(part.lines, part.count), lines.mapping(), part.base);
        }
    }

    /** Adds the lines that replace others. */
    private void addReplaced(int from, int to, SegmentReader.Carried facts) throws IOException {
        List<LogIndex.CarriedLines.Replaced> parsed = new ArrayList<>();
        List<LogIndex.CarriedLines.Replaced> all = lines.replaced();
        for (LogIndex.CarriedLines.Replaced line : all.subList(place(from), place(to))) {
            if (line.isParsed()) {
                parsed.add(line);
            } else {
                facts.joined(line.line(), line.length(), line.digest(), line.occurrences());
            }
        }
        for (int first = 0; first < parsed.size(); first += PARSED) {
            addParsed(parsed.subList(first, Math.min(parsed.size(), first + PARSED)), facts);
        }
    }

    private void addParsed(List<LogIndex.CarriedLines.Replaced> some, SegmentReader.Carried facts) throws IOException {
        Memtable table = new Memtable(new SegmentStatistics(), 0);
        for (LogIndex.CarriedLines.Replaced replaced : some) {
            int number = replaced.line();
            int length = replaced.length();
            long offset = lines.offsets()[number];
            byte[] line = bytes(number, length);
            IndexedFields fields = after.fields(line);
            String hash = hashed.get(number) ? null : after.indexer().currentHash(fields, line, 0, length);
            table.add(fields, offset, length, replaced.digest(), hash);
            facts.set(number, offset, table, table.count() - 1);
            facts.parsed(number, fields);
        }
        int[] numbers =
                some.stream().mapToInt(LogIndex.CarriedLines.Replaced::line).toArray();
        facts.add(SegmentReader.copy(table, numbers.length), numbers);
    }

    /** The place of the first line from one on among those that replace others. */
    private int place(int line) {
        int low = 0;
        int high = lines.replaced().size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lines.replaced().get(middle).line() < line) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private byte[] bytes(int line, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (after.file().readKnown(lines.offsets()[line], bytes, length) < length) {
            throw new LogChangedException("the new " + after.file().path() + " is shorter than it was");
        }
        return bytes;
    }

    private Segment segment(int first, int next, SegmentReader.Carried facts, int number) throws IOException {
        long from = first == 0 ? 0 : lines.offsets()[first];
        long to = next < lines.count() ? lines.offsets()[next] : end;
        LineCheck check = new LineCheck(after.file(), from, to);
        boolean same = facts.offset(first) == from || check.isBlankUntil(facts.offset(first));
        long rolling = 0;
        for (int line = first; line < next && same; line++) {
            long behind = line + 1 < next ? facts.offset(line + 1) : to;
            same = check.has(facts.offset(line), facts.length(line), facts.digest(line)) && check.isBlankUntil(behind);
            rolling = DigestTable.next(rolling, facts.digest(line));
        }
        if (!same) {
            throw new LogChangedException(after.file().path() + " was changed where it was read before");
        }
        SegmentHeader header = after.sealing().header(first / segmentLines, from, to, check.crc(), rolling);
        return after.sealing().carried(facts, number, header);
    }
}
