package dev.xmem.core.store.segment;

import dev.xmem.core.base.json.IndexedFields;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Statistics of lines, of a segment or a whole log: counts, the highest ids, times, and the malformed lines. One
 * writer. Any thread may read {@link #tally} and what concerns malformed and repeated lines, the rest is for the
 * writer.
 */
public final class SegmentStatistics {
    /**
     * A line that is no entry.
     *
     * @param offset its offset in the log, in bytes
     * @param length its length in bytes
     * @param reason why it cannot be read
     */
    public record Malformed(long offset, long length, String reason) {}

    private static final int REPORTED_LINES = 1000;

    private final LogStatistics tally = new LogStatistics();
    private final DailyIdCounter days = new DailyIdCounter();
    private final TimeStatistics times = new TimeStatistics();
    private final List<Malformed> malformedLines = new ArrayList<>();
    private volatile long malformed;
    private volatile long repeated;

    /** Adds the line with this number. */
    public void add(IndexedFields facts, int line) {
        times.see(facts.tsMillis(), line);
        tally.add(facts);
        days.see(facts.id());
        for (String id : facts.covers()) {
            days.see(id);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void malformed(Malformed line) {
        synchronized (malformedLines) {
            if (malformedLines.size() < REPORTED_LINES) {
                malformedLines.add(line);
            }
        }
        malformed = malformed + 1;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void repeated() {
        repeated = repeated + 1;
    }

    /** Adds the statistics of later lines, the first of which has this number. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void add(SegmentStatistics other, int line) {
        times.add(other.times, line);
        tally.add(other.tally);
        days.add(other.days);
        for (Malformed each : other.malformedLines()) {
            malformed(each);
        }
        malformed = malformed + other.malformed - other.malformedLines().size();
        repeated = repeated + other.repeated;
    }

    /**
     * Writes the section: counts, days, times, malformed and repeated lines (longs), and the reported malformed lines.
     */
    public void write(SectionWriter out) {
        out.section(SectionIds.STATISTICS);
        tally.write(out);
        days.write(out);
        times.write(out);
        out.writeLong(malformed);
        out.writeLong(repeated);
        List<Malformed> reported = malformedLines();
        out.writeInt(reported.size());
        for (Malformed line : reported) {
            out.writeLong(line.offset());
            out.writeLong(line.length());
            out.writeText(line.reason());
        }
    }

    public static SegmentStatistics read(SectionFile segment) throws CorruptSegmentException {
        ByteBuffer in = segment.section(SectionIds.STATISTICS);
        SegmentStatistics totals = new SegmentStatistics();
        totals.tally.read(in);
        totals.days.read(in);
        totals.times.read(in);
        totals.malformed = in.getLong();
        totals.repeated = in.getLong();
        int reported = in.getInt();
        for (int i = 0; i < reported; i++) {
            totals.malformedLines.add(new Malformed(in.getLong(), in.getLong(), SectionFile.text(in)));
        }
        return totals;
    }

    public LogStatistics tally() {
        return tally;
    }

    public DailyIdCounter days() {
        return days;
    }

    public TimeStatistics times() {
        return times;
    }

    public long malformed() {
        return malformed;
    }

    public List<Malformed> malformedLines() {
        synchronized (malformedLines) {
            return List.copyOf(malformedLines);
        }
    }
}
